//! Command lists.

use heapstone::spec::commands::{PredicationOp, ResolveMode};
use heapstone::{Format, ResourceFlags};
use heapstone_spec::{FormatKind, FormatUses};

use super::{Generator, is_buffer};
use crate::machine::QUEUE_TYPES;
use crate::model::Verdict;
use crate::program::{Command, Resolve, Slot, Step};

impl Generator<'_, '_> {
    pub(super) fn execute(&mut self) {
        let queue = *self.source.pick(&[0, 0, 1, 2]);
        let times = if self.source.chance(8) { 2 } else { 1 };
        let mut commands = Vec::new();
        for _ in 0..self.source.within(1, 8) {
            let may_be_refused = self.source.chance(2);
            let Some(command) = self.command() else { continue };
            let command = if may_be_refused { spoilt(command) } else { command };
            match self.model.judge(QUEUE_TYPES[queue], &command) {
                Ok(_) => commands.push(command),
                Err(Verdict::Refused) if may_be_refused => commands.push(command),
                Err(_) => {}
            }
        }
        if !commands.is_empty() {
            self.steps.push(Step::Execute { queue, times, commands });
        }
    }

    fn command(&mut self) -> Option<Command> {
        match self.source.below(100) {
            0..17 => self.copy_buffer(),
            17..46 => self.copy_texture(),
            46..54 => self.copy_resource(),
            54..66 => self.copy_tiles(),
            66..72 => self.clear_render_target(),
            72..79 => self.clear_depth_stencil(),
            79..84 => self.clear_unordered(),
            84..90 => self.resolve(),
            90..93 => self.write_immediate(),
            93..96 => self.predication(),
            96 | 97 => {
                let flags = ResourceFlags::ALLOW_RENDER_TARGET
                    | ResourceFlags::ALLOW_DEPTH_STENCIL
                    | ResourceFlags::ALLOW_UNORDERED_ACCESS;
                let resource = self
                    .pick(|model, slot| model.desc(slot).is_some_and(|desc| desc.flags.intersects(flags)))?;
                Some(Command::Discard { resource })
            }
            98 if self.source.chance(40) => self.enhanced_barrier(),
            98 if self.source.chance(50) => Some(Command::AliasingBarrier),
            98 => self.pick(|_, _| true).map(|resource| Command::Transition { resource }),
            _ => Some(Command::UavBarrier),
        }
    }

    fn enhanced_barrier(&mut self) -> Option<Command> {
        let resource = if self.source.chance(80) { Some(self.pick(|_, _| true)?) } else { None };
        Some(Command::EnhancedBarrier { resource, is_of_other_kind: false })
    }

    fn resolve(&mut self) -> Option<Command> {
        let source =
            self.pick(|model, slot| model.desc(slot).is_some_and(|desc| desc.sample_desc.count > 1))?;
        let from = *self.model.desc(source)?;
        let mode = *self.source.pick(&[
            ResolveMode::Average,
            ResolveMode::Min,
            ResolveMode::Max,
            ResolveMode::Decompress,
        ]);
        let samples = if mode == ResolveMode::Decompress { from.sample_desc.count } else { 1 };
        let destination = self.pick(|model, slot| {
            slot != source
                && model.desc(slot).is_some_and(|desc| {
                    desc.format.info().same_family(from.format)
                        && desc.sample_desc.count == samples
                        && desc.dimension == from.dimension
                })
        })?;
        let to = self.model.desc(destination)?.format;
        let format = self.resolved_as([from.format, to], mode)?;
        let shapes = |slot: Slot| self.model.subresources(slot).to_vec();
        let (from_shapes, to_shapes) = (shapes(source), shapes(destination));
        let pick = |generator: &mut Self, count: usize| {
            generator.source.below_u32(u32::try_from(count).unwrap_or(1))
        };
        let source_subresource = pick(self, from_shapes.len());
        let destination_subresource = pick(self, to_shapes.len());
        let at = |index: u32| usize::try_from(index).unwrap_or(0);
        let (one, two) = (from_shapes[at(source_subresource)], to_shapes[at(destination_subresource)]);
        if one.plane != two.plane {
            return None;
        }
        let (mut rect, mut origin) = (None, [0, 0]);
        if self.source.chance(50) || one.extent != two.extent {
            let fits = [0, 1, 2].map(|axis: usize| one.extent[axis].min(two.extent[axis]));
            let size = self.size_within(fits);
            let begin = self.origin_within(one.extent, size);
            let to = self.origin_within(two.extent, size);
            let side = |at: usize| i32::try_from(at).unwrap_or(0);
            rect = Some(heapstone::spec::commands::Rect::new(
                side(begin[0]),
                side(begin[1]),
                side(begin[0] + size[0]),
                side(begin[1] + size[1]),
            ));
            origin = [to[0], to[1]].map(|at| u32::try_from(at).unwrap_or(0));
        }
        Some(Command::Resolve(Resolve {
            destination,
            destination_subresource,
            origin,
            source,
            source_subresource,
            rect,
            format,
            mode,
        }))
    }

    /// A typed format of the textures' family that the mode resolves; where one of them is typed, its own.
    fn resolved_as(&mut self, textures: [Format; 2], mode: ResolveMode) -> Option<Format> {
        let family = textures[0];
        let is_typeless = |format: Format| format.info().kind.contains(FormatKind::TYPELESS);
        let is_depth = family.info().plane_count > 1;
        let resolves = |format: &Format| {
            let info = format.info();
            let targets = FormatUses::RENDER_TARGET | FormatUses::DEPTH_STENCIL;
            let is_integer = info.name.contains("UINT") && !info.kind.contains(FormatKind::DEPTH)
                || info.name.contains("SINT");
            info.same_family(family)
                && !is_typeless(*format)
                && textures.iter().all(|own| is_typeless(*own) || own == format)
                && format.uses().intersects(targets)
                // A stencil plane is of integers.
                && (mode != ResolveMode::Average || !is_integer && !is_depth)
        };
        let found: Vec<Format> = Format::ALL.iter().copied().filter(resolves).collect();
        if found.is_empty() { None } else { Some(*self.source.pick(&found)) }
    }

    fn write_immediate(&mut self) -> Option<Command> {
        let resource = self.pick(is_buffer)?;
        let width = self.model.desc(resource)?.width;
        let mut writes = Vec::new();
        for _ in 0..self.source.within(1, 3) {
            let offset = self.source.below(width / 4) * 4;
            writes.push((offset, u32::try_from(self.source.word() >> 32).unwrap_or(0)));
        }
        Some(Command::WriteImmediate { resource, writes })
    }

    fn predication(&mut self) -> Option<Command> {
        let op = *self.source.pick(&[PredicationOp::EqualZero, PredicationOp::NotEqualZero]);
        if self.source.chance(30) {
            return Some(Command::SetPredication { buffer: None, op });
        }
        let buffer = self.pick(is_buffer)?;
        let width = self.model.desc(buffer)?.width;
        let offset = self.source.below(width / 8) * 8;
        Some(Command::SetPredication { buffer: Some((buffer, offset)), op })
    }
}

/// The same with an argument that D3D12 refuses, where one comes to mind.
fn spoilt(mut command: Command) -> Command {
    use crate::program::Location;
    match &mut command {
        Command::CopyBuffer { size, .. } => *size = size.wrapping_add(1 << 40),
        Command::CopyTexture { destination: Location::Rows(_, footprint), .. } => footprint.row_pitch += 4,
        Command::CopyTexture { source: Location::Rows(_, footprint), .. } => footprint.offset += 16,
        Command::CopyTexture { origin, .. } => origin[0] += 1 << 20,
        Command::CopyResource { destination, source } => *destination = *source,
        Command::CopyTiles { offset, .. } => *offset += 4,
        Command::Resolve(resolve) => resolve.origin[1] += 1 << 15,
        Command::WriteImmediate { writes, .. } => {
            writes.iter_mut().for_each(|write| write.0 = write.0.saturating_sub(4) + 1);
        }
        Command::SetPredication { buffer: Some((_, offset)), .. } => *offset += 4,
        Command::EnhancedBarrier { is_of_other_kind, .. } => *is_of_other_kind = true,
        _ => {}
    }
    command
}
