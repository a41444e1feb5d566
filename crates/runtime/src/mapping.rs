//! Map, Unmap, and copies of bytes by the CPU.

use core::ptr::NonNull;
use core::sync::atomic::Ordering;

use heapstone_layout::subresource_count;
use heapstone_spec::rules::mapping as rules;
use heapstone_spec::{
    CpuPageProperty, ResourceDesc, ResourceDimension, ResourceFlags, TextureLayout, Violation,
};
use heapstone_units::ByteRange;

use crate::error::Error;
use crate::heap::HeapCore;
use crate::observer::Call;
use crate::resource::{Place, Resource, ResourceInner};

/// Whether Map is to give a pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapPointer {
    /// `ppData` is given.
    #[default]
    Wanted,
    /// `ppData` is NULL: the only way to map an opaque layout (spec/2-resource-heaps.txt 246).
    Null,
}

/// What Map gives. The address holds until the last handle of the resource is dropped; the count of
/// Map calls without their Unmap is the resource's.
#[derive(Clone, Copy, Debug)]
pub struct Mapping {
    /// The address of the subresource's first byte. `None` where NULL was asked for, or where the
    /// backing is phantom: there are no bytes.
    pub pointer: Option<NonNull<u8>>,
    /// Bytes from there to the subresource's end; 0 without a pointer.
    pub size: u64,
}

impl Resource {
    /// ID3D12Resource::Map (spec/2-resource-heaps.txt 236-253): counts, and gives the address. Can be
    /// called by any thread, and again before Unmap.
    ///
    /// `read_range` is what the CPU will read, in bytes of the subresource; `None` is D3D12's NULL.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `map.*`; [`Error::OutOfMemory`] where the system gives no memory. Nothing
    /// is counted then.
    #[inline]
    pub fn map(
        &self,
        subresource: u32,
        read_range: Option<ByteRange>,
        pointer: MapPointer,
    ) -> Result<Mapping, Error> {
        let inner = &*self.inner;
        // A buffer that was mapped before: its rules were checked, only the arguments can break one.
        if let Some(address) = inner.known_address()
            && subresource == 0
            && pointer == MapPointer::Wanted
            && read_range.is_none_or(|range| range.is_empty() || range.end <= inner.desc.width)
        {
            inner.count_map();
            return Ok(Mapping { pointer: Some(address), size: inner.desc.width });
        }
        self.map_checked(subresource, read_range, pointer)
    }

    #[inline(never)]
    fn map_checked(
        &self,
        subresource: u32,
        read_range: Option<ByteRange>,
        pointer: MapPointer,
    ) -> Result<Mapping, Error> {
        if !self.inner.device().is_observed() {
            return self.inner.map(subresource, read_range, pointer);
        }
        let result = self.inner.map(subresource, read_range, pointer);
        self.inner.device().observe(|| Call::Map {
            object: self.inner.id,
            subresource,
            read_range,
            pointer,
            outcome: result.as_ref().map(|_| ()),
        });
        result
    }

    /// ID3D12Resource::Unmap: undoes one Map. With a subresource that the resource does not have it is
    /// harmless: nothing changes (facts/behaviour.md, Map, Write, Read).
    ///
    /// `written_range` is what the CPU wrote, in bytes of the subresource; `None` is D3D12's NULL.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `unmap.*`; nothing has changed then.
    #[inline]
    pub fn unmap(&self, subresource: u32, written_range: Option<ByteRange>) -> Result<(), Error> {
        let inner = &*self.inner;
        if inner.known_address().is_some()
            && subresource == 0
            && written_range.is_none_or(|range| range.is_empty() || range.end <= inner.desc.width)
        {
            return inner.count_unmap();
        }
        self.unmap_checked(subresource, written_range)
    }

    #[inline(never)]
    fn unmap_checked(&self, subresource: u32, written_range: Option<ByteRange>) -> Result<(), Error> {
        let result = self.inner.unmap(subresource, written_range);
        self.inner.device().observe(|| Call::Unmap {
            object: self.inner.id,
            subresource,
            written_range,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// Calls of Map that no Unmap has undone.
    #[must_use]
    pub fn map_count(&self) -> u64 {
        self.inner.map_count.load(Ordering::Relaxed)
    }

    /// Copies bytes out of a buffer that the CPU can map: Map, copy, Unmap in one, without a raw
    /// pointer. `offset` is in bytes of the buffer.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `map.*` or `access.*`; [`Error::Driver`] where the backing has no bytes.
    pub fn read(&self, offset: u64, to: &mut [u8]) -> Result<(), Error> {
        let (core, at) = self.inner.cpu_bytes(offset, to.len())?;
        Ok(core.driver().read(at, to)?)
    }

    /// Copies bytes into a buffer that the CPU can map. `offset` is in bytes of the buffer.
    ///
    /// # Errors
    /// As [`Resource::read`].
    pub fn write(&self, offset: u64, from: &[u8]) -> Result<(), Error> {
        let (core, at) = self.inner.cpu_bytes(offset, from.len())?;
        Ok(core.driver().write(at, from)?)
    }
}

impl ResourceInner {
    #[inline]
    fn map(
        &self,
        subresource: u32,
        read_range: Option<ByteRange>,
        pointer: MapPointer,
    ) -> Result<Mapping, Error> {
        let (core, offset) = self.mappable()?;
        let part = if self.desc.is_buffer() {
            if subresource != 0 {
                return Err(self.no_such_subresource(subresource).into());
            }
            if let Some(range) = read_range {
                check_range(&rules::MAP_RANGE, "pReadRange", range, self.desc.width)?;
            }
            ByteRange::new(0, self.desc.width)
        } else {
            self.check_texture_map(subresource, read_range, pointer)?
        };
        let base = core.map()?;
        self.count_map();
        if pointer == MapPointer::Null {
            return Ok(Mapping { pointer: None, size: 0 });
        }
        let from_heap = offset + part.begin;
        let address = base.map(|base| {
            let distance =
                usize::try_from(from_heap).expect("invariant: a mapped heap fits the address space");
            // A mapped heap is one range of addresses, and the resource lies within its heap.
            NonNull::new(base.as_ptr().wrapping_add(distance))
                .expect("invariant: no address of a mapping is null")
        });
        if let Some(address) = address
            && self.desc.is_buffer()
            && !self.device().is_observed()
        {
            self.mapped.store(address.as_ptr(), Ordering::Release);
        }
        Ok(Mapping { pointer: address, size: if address.is_some() { part.size() } else { 0 } })
    }

    /// See [`ResourceInner::mapped`].
    #[inline]
    fn known_address(&self) -> Option<NonNull<u8>> {
        NonNull::new(self.mapped.load(Ordering::Acquire))
    }

    /// Relaxed: the count orders nothing, and nothing is freed when it falls. 64 bits do not wrap.
    #[inline]
    fn count_map(&self) {
        self.map_count.fetch_add(1, Ordering::Relaxed);
    }

    #[inline]
    fn count_unmap(&self) -> Result<(), Error> {
        let counted =
            self.map_count.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
        if counted.is_ok() { Ok(()) } else { Err(not_mapped().into()) }
    }

    fn unmap(&self, subresource: u32, written_range: Option<ByteRange>) -> Result<(), Error> {
        if subresource != 0 && u64::from(subresource) >= subresource_count(&self.desc) {
            return Ok(());
        }
        if let Some(range) = written_range.filter(|range| !range.is_empty()) {
            self.check_written_range(subresource, range)?;
        }
        self.count_unmap()
    }

    /// Of a range that is not empty.
    fn check_written_range(&self, subresource: u32, range: ByteRange) -> Result<(), Box<Violation>> {
        if self.desc.is_buffer() {
            check_range(&rules::UNMAP_RANGE, "pWrittenRange", range, self.desc.width)
        } else if self.desc.layout == TextureLayout::Standard64KbSwizzle {
            let part = self.standard_swizzle_part(subresource);
            check_range(&rules::UNMAP_RANGE, "pWrittenRange", range, part.size())
        } else {
            Err(rules::UNMAP_RANGE.violated(
                "pWrittenRange",
                range,
                format_args!("NULL or an empty range for layout {}", self.desc.layout),
            ))
        }
    }

    /// The heap's part and the offset of the resource in it, where the CPU can access them.
    #[inline]
    fn mappable(&self) -> Result<(&HeapCore, u64), Box<Violation>> {
        let (core, offset) = match &self.place {
            Place::Placed { heap, offset } => (&heap.inner.core, *offset),
            Place::Committed { core, .. } => (&**core, 0),
            Place::Reserved { .. } => {
                return Err(rules::MAP_RESERVED.violated(
                    "ID3D12Resource::Map",
                    "a reserved resource",
                    "a placed or committed one",
                ));
            }
        };
        if core.resolved.properties.cpu_page_property == CpuPageProperty::NotAvailable {
            return Err(self.not_mappable(core));
        }
        Ok((core, offset))
    }

    /// Of a resource on a heap that the CPU cannot access.
    #[cold]
    fn not_mappable(&self, core: &HeapCore) -> Box<Violation> {
        if !self.desc.is_buffer() && self.desc.layout == TextureLayout::RowMajor {
            return row_major_violation("ID3D12Resource::Map");
        }
        rules::MAP_HEAP.violated(
            "ID3D12Resource::Map",
            format_args!("a resource on a {} heap, CPUPageProperty NOT_AVAILABLE", core.resolved.heap_type),
            "WRITE_COMBINE or WRITE_BACK",
        )
    }

    /// Answers the bytes of the texture that Map gives: none where the layout is opaque.
    fn check_texture_map(
        &self,
        subresource: u32,
        read_range: Option<ByteRange>,
        pointer: MapPointer,
    ) -> Result<ByteRange, Box<Violation>> {
        let desc = &self.desc;
        if u64::from(subresource) >= subresource_count(desc) {
            return Err(self.no_such_subresource(subresource));
        }
        match desc.layout {
            TextureLayout::RowMajor => Err(row_major_violation("ID3D12Resource::Map")),
            TextureLayout::Standard64KbSwizzle => {
                let part = self.standard_swizzle_part(subresource);
                if let Some(range) = read_range {
                    check_range(&rules::MAP_RANGE, "pReadRange", range, part.size())?;
                }
                Ok(part)
            }
            TextureLayout::Unknown | TextureLayout::Undefined64KbSwizzle => {
                check_opaque_map(desc, read_range, pointer)?;
                Ok(ByteRange::default())
            }
        }
    }

    /// The bytes of a subresource in a standard-swizzled texture, as the driver tells them, and never beyond
    /// the texture; none where the driver does not know the subresource.
    fn standard_swizzle_part(&self, subresource: u32) -> ByteRange {
        let driver = &self.device().adapter.driver;
        driver
            .check_subresource_info(&self.desc, self.driver, subresource)
            .and_then(|info| ByteRange::at(info.offset, info.size))
            .filter(|part| part.end <= self.size)
            .unwrap_or_default()
    }

    #[cold]
    fn no_such_subresource(&self, subresource: u32) -> Box<Violation> {
        let count = subresource_count(&self.desc);
        rules::MAP_SUBRESOURCE.violated(
            "Subresource",
            subresource,
            format_args!("0 to {}", count.saturating_sub(1)),
        )
    }

    /// The heap's part and the offset in it of `length` bytes at `offset` of a buffer.
    fn cpu_bytes(&self, offset: u64, length: usize) -> Result<(&HeapCore, u64), Box<Violation>> {
        let (core, place) = self.mappable()?;
        if !self.desc.is_buffer() {
            return Err(rules::ACCESS_OPAQUE.violated("ID3D12Resource", "a texture", "a buffer"));
        }
        let range = u64::try_from(length).ok().and_then(|length| ByteRange::at(offset, length));
        match range {
            Some(range) if range.end <= self.desc.width => Ok((core, place + offset)),
            _ => Err(rules::ACCESS_RANGE.violated(
                "offset, length",
                format_args!("{length} bytes at {offset}"),
                format_args!("within the buffer's {} bytes", self.desc.width),
            )),
        }
    }
}

/// A ROW_MAJOR texture lies on a heap without CPU access, and is told of first: no other heap would help.
#[cold]
fn row_major_violation(call: &'static str) -> Box<Violation> {
    rules::MAP_ROW_MAJOR.violated(call, "a ROW_MAJOR texture", "a buffer over the same bytes")
}

#[cold]
fn not_mapped() -> Box<Violation> {
    rules::UNMAP_NOT_MAPPED.violated(
        "ID3D12Resource::Unmap",
        "a resource that is not mapped",
        "as many calls as Map had",
    )
}

fn check_opaque_map(
    desc: &ResourceDesc,
    read_range: Option<ByteRange>,
    pointer: MapPointer,
) -> Result<(), Box<Violation>> {
    if pointer == MapPointer::Wanted {
        return Err(rules::MAP_OPAQUE_POINTER.violated(
            "ppData",
            "a pointer",
            format_args!("NULL for layout {}", desc.layout),
        ));
    }
    if let Some(range) = read_range.filter(|range| !range.is_empty()) {
        return Err(rules::MAP_OPAQUE_RANGE.violated("pReadRange", range, "NULL or an empty range"));
    }
    check_opaque_copies(desc)
}

/// Whether the CPU copies texels of such a texture: where Map succeeds with a NULL pointer
/// (spec/2-resource-heaps.txt 317).
pub(crate) fn check_cpu_copies(call: &'static str, desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    match desc.layout {
        TextureLayout::RowMajor => Err(row_major_violation(call)),
        TextureLayout::Standard64KbSwizzle => Ok(()),
        TextureLayout::Unknown | TextureLayout::Undefined64KbSwizzle => check_opaque_copies(desc),
    }
}

/// What textures of opaque layout have copies by the CPU.
fn check_opaque_copies(desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    if desc.dimension == ResourceDimension::Texture3D && desc.mip_levels != 1 {
        return Err(rules::MAP_OPAQUE_3D.violated("MipLevels", desc.mip_levels, "1"));
    }
    if desc.sample_desc.count > 1 {
        return Err(rules::MAP_OPAQUE_KIND.violated("SampleDesc.Count", desc.sample_desc.count, "1"));
    }
    if desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
        return Err(rules::MAP_OPAQUE_KIND.violated("Flags", desc.flags, "no ALLOW_DEPTH_STENCIL"));
    }
    let info = desc.format.info();
    // Each plane of several has elements of a power of two.
    if info.plane_count == 1 && !info.bits_per_element.is_power_of_two() {
        return Err(rules::MAP_OPAQUE_FORMAT.violated(
            "Format",
            format_args!("{}, {} bits", desc.format, info.bits_per_element),
            "elements of 8, 16, 32, 64 or 128 bits",
        ));
    }
    Ok(())
}

#[inline]
fn check_range(
    rule: &'static heapstone_spec::Rule,
    field: &'static str,
    range: ByteRange,
    size: u64,
) -> Result<(), Box<Violation>> {
    if range.is_empty() || range.end <= size {
        Ok(())
    } else {
        Err(rule.violated(field, range, format_args!("End at most {size}")))
    }
}
