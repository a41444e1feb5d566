//! Which commands are legal, and what they do, in the model's terms: the rules of Microsoft's documentation of each
//! call and of facts/behaviour.md (Copies and footprints), written down once more.

mod copies;
mod resolves;
mod writes;

use core::ops::Range;

use heapstone::spec::commands::{CommandListType, PredicationOp, ResolveMode};
use heapstone::{Format, HeapType, ResourceFlags};

pub(crate) use copies::box_of;

use super::access::{Elements, Physical};
use super::resource::Resource;
use super::{Model, Verdict};
use crate::program::{Command, Slot};

/// What a command does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    CopyBytes {
        to: (Slot, usize),
        from: (Slot, usize),
        size: usize,
    },
    CopyTexels {
        to: Side,
        from: Side,
        size: [usize; 3],
        element: usize,
        low_24_bits: bool,
    },
    Fill {
        to: Side,
        size: [usize; 3],
        value: Vec<u8>,
        repeats: usize,
    },
    FillBytes {
        to: (Slot, usize),
        size: usize,
        value: Vec<u8>,
    },
    Resolve {
        to: Side,
        from: Side,
        size: [usize; 3],
        samples: usize,
        bytes: usize,
        by: (Format, ResolveMode),
    },
    WriteBytes {
        to: (Slot, usize),
        bytes: Vec<u8>,
    },
    /// Of all of a resource.
    Forget(Slot),
    /// Of a tile that a reserved resource shows.
    ForgetTile(Slot, usize),
    /// Of bytes that are written with what is not known, read from `reads`.
    ForgetBytes {
        to: (Slot, usize),
        size: usize,
        reads: Slot,
    },
    SetPredicate(Option<((Slot, usize), PredicationOp)>),
}

/// A side of a copy of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Side {
    /// Of a texture: subresource and first element.
    Texels { slot: Slot, subresource: u32, origin: [usize; 3] },
    /// Rows in a buffer: byte of the first element, and bytes to the next row and slice.
    Rows { slot: Slot, begin: usize, row: usize, slice: usize },
}

impl Side {
    pub(crate) const fn slot(&self) -> Slot {
        match self {
            Side::Texels { slot, .. } | Side::Rows { slot, .. } => *slot,
        }
    }
}

pub(super) type Judged<T = Vec<Op>> = Result<T, Verdict>;

impl Model {
    /// What the command does in a list of that type.
    pub(crate) fn judge(&self, list_type: CommandListType, command: &Command) -> Judged {
        let on = |types: &[CommandListType]| {
            if types.contains(&list_type) { Ok(()) } else { Err(Verdict::Refused) }
        };
        use CommandListType::{Compute, Direct};
        match command {
            Command::CopyBuffer { destination, destination_offset, source, source_offset, size } => {
                self.copy_buffer((*destination, *destination_offset), (*source, *source_offset), *size)
            }
            Command::CopyTexture { destination, origin, source, source_box } => {
                self.copy_texture(destination, *origin, source, source_box.as_ref())
            }
            Command::CopyResource { destination, source } => self.copy_resource(*destination, *source),
            Command::CopyTiles { tiled, start, size, buffer, offset, to_tiles } => {
                self.copy_tiles(*tiled, start, size, (*buffer, *offset), *to_tiles)
            }
            Command::ClearRenderTarget { resource, view, color, rects } => {
                self.known(*resource)?;
                on(&[Direct])?;
                self.clear_render_target(*resource, view, *color, rects)
            }
            Command::ClearDepthStencil { resource, view, flags, depth, stencil, rects } => {
                self.known(*resource)?;
                on(&[Direct])?;
                let planes = (
                    flags.contains(heapstone::spec::commands::ClearFlags::DEPTH).then_some(*depth),
                    flags.contains(heapstone::spec::commands::ClearFlags::STENCIL).then_some(*stencil),
                );
                self.clear_depth_stencil(*resource, view, planes, rects)
            }
            Command::ClearUnordered { resource, view, values, rects } => {
                self.known(*resource)?;
                on(&[Direct, Compute])?;
                self.clear_unordered(*resource, view, values, rects)
            }
            Command::Resolve(resolve) => {
                self.known(resolve.destination)?;
                self.known(resolve.source)?;
                on(&[Direct])?;
                self.resolve(resolve)
            }
            Command::WriteImmediate { resource, writes } => {
                self.write_immediate(list_type, *resource, writes)
            }
            Command::SetPredication { buffer, op } => {
                on(&[Direct, Compute])?;
                self.set_predication(*buffer, *op)
            }
            Command::Discard { resource } => {
                let flags = self.known(*resource)?.desc.flags;
                on(&[Direct, Compute])?;
                let mut needed = ResourceFlags::ALLOW_UNORDERED_ACCESS;
                if list_type == Direct {
                    needed |= ResourceFlags::ALLOW_RENDER_TARGET | ResourceFlags::ALLOW_DEPTH_STENCIL;
                }
                if flags.intersects(needed) { Ok(vec![Op::Forget(*resource)]) } else { Err(Verdict::Refused) }
            }
            Command::Transition { resource } => match self.known(*resource)?.heap_type() {
                Some(HeapType::Upload | HeapType::Readback) => Err(Verdict::Refused),
                _ => Ok(vec![]),
            },
            Command::EnhancedBarrier { resource, is_of_other_kind } => {
                if let Some(slot) = resource {
                    self.known(*slot)?;
                }
                let is_legal =
                    self.rules.caps.enhanced_barriers && !(*is_of_other_kind && resource.is_some());
                if is_legal { Ok(vec![]) } else { Err(Verdict::Refused) }
            }
            Command::AliasingBarrier | Command::UavBarrier => Ok(vec![]),
        }
    }

    pub(super) fn known(&self, slot: Slot) -> Judged<&Resource> {
        self.resources.get(&slot).ok_or(Verdict::Skip)
    }

    /// What a GPU writes lies on no UPLOAD heap.
    fn destination(&self, slot: Slot) -> Judged<&Resource> {
        let resource = self.known(slot)?;
        if resource.heap_type() == Some(HeapType::Upload) { Err(Verdict::Refused) } else { Ok(resource) }
    }

    /// What a GPU reads lies on no READBACK heap.
    fn source(&self, slot: Slot) -> Judged<&Resource> {
        let resource = self.known(slot)?;
        if resource.heap_type() == Some(HeapType::Readback) { Err(Verdict::Refused) } else { Ok(resource) }
    }

    /// Where a side's elements lie.
    pub(super) fn physical(&self, side: &Side, size: [usize; 3], element: usize) -> Vec<Physical> {
        match *side {
            Side::Texels { slot, subresource, origin } => {
                self.physical_texels(slot, &Elements { subresource, origin, size })
            }
            Side::Rows { slot, begin, row, slice } => {
                let row_at = |z: usize, y: usize| begin + z * slice + y * row;
                let rows = (0..size[2]).flat_map(|z| (0..size[1]).map(move |y| row_at(z, y)));
                rows.flat_map(|at| self.physical_bytes(slot, at..at + size[0] * element)).collect()
            }
        }
    }
}

/// `size` bytes at `offset`, which the buffer has.
fn range_in(buffer: &Resource, offset: u64, size: u64) -> Judged<Range<usize>> {
    let end = offset.checked_add(size).filter(|end| buffer.desc.is_buffer() && *end <= buffer.desc.width);
    let end = end.ok_or(Verdict::Refused)?;
    let bytes = |number: u64| usize::try_from(number).map_err(|_| Verdict::Skip);
    Ok(bytes(offset)?..bytes(end)?)
}
