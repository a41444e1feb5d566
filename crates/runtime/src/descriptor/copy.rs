//! CopyDescriptors and CopyDescriptorsSimple: descriptors are copied by value, at once.

use core::fmt;

use heapstone_spec::Violation;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{CpuDescriptorHandle, DescriptorHeapType};

use super::space::{CHUNK, Place, Storage, Table, copy_within_chunks};
use crate::device::Device;
use crate::error::Error;
use crate::observer::Call;

/// Ranges of descriptors, as CopyDescriptors takes them twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescriptorRanges<'a> {
    /// The first handle of each range.
    pub starts: &'a [CpuDescriptorHandle],
    /// Descriptors of each range; `None` is D3D12's NULL: one each.
    pub sizes: Option<&'a [u32]>,
}

/// A range, found.
#[derive(Clone, Copy)]
struct Found<'a> {
    storage: &'a Storage,
    first: u32,
    count: u32,
}

const FIELDS: [Fields; 2] = [
    Fields { starts: "pDestDescriptorRangeStarts", sizes: "pDestDescriptorRangeSizes" },
    Fields { starts: "pSrcDescriptorRangeStarts", sizes: "pSrcDescriptorRangeSizes" },
];

#[derive(Clone, Copy)]
struct Fields {
    starts: &'static str,
    sizes: &'static str,
}

impl Device {
    /// ID3D12Device::CopyDescriptors. Both sides are as many descriptors, in heaps of `heap_type`; their ranges
    /// need not line up. Where destinations overlap, the later range stays. A range of no descriptors names
    /// none, whatever its handle.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `copy_descriptors.*` or `descriptor.handle*`.
    pub fn copy_descriptors(
        &self,
        destination: DescriptorRanges<'_>,
        source: DescriptorRanges<'_>,
        heap_type: DescriptorHeapType,
    ) -> Result<(), Error> {
        let result = self.copy_descriptors_unobserved(destination, source, heap_type);
        self.inner.observe(|| Call::CopyDescriptors {
            destination,
            source,
            heap_type,
            outcome: result.as_ref().copied(),
        });
        result
    }

    #[inline]
    fn copy_descriptors_unobserved(
        &self,
        destination: DescriptorRanges<'_>,
        source: DescriptorRanges<'_>,
        heap_type: DescriptorHeapType,
    ) -> Result<(), Error> {
        let table = self.inner.descriptors.table();
        let [destination_fields, source_fields] = FIELDS;
        let destinations = find_all(&table, destination, heap_type, destination_fields)?;
        let sources = find_all(&table, source, heap_type, source_fields)?;
        let (to, from) = (total(&destinations), total(&sources));
        if to != from {
            return Err(rules::COPY_COUNT
                .violated("pSrcDescriptorRangeSizes", format_args!("{from} descriptors"), to)
                .into());
        }
        sources.iter().try_for_each(check_source)?;
        check_overlap(&destinations, &sources)?;
        copy(&destinations, &sources);
        Ok(())
    }

    /// ID3D12Device::CopyDescriptorsSimple: `count` descriptors from `source` on to `destination` and behind.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `copy_descriptors.*` or `descriptor.handle*`.
    pub fn copy_descriptors_simple(
        &self,
        count: u32,
        destination: CpuDescriptorHandle,
        source: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<(), Error> {
        let result = self.copy_simple_unobserved(count, destination, source, heap_type);
        self.inner.observe(|| Call::CopyDescriptorsSimple {
            count,
            destination,
            source,
            heap_type,
            outcome: result.as_ref().copied(),
        });
        result
    }

    #[inline]
    fn copy_simple_unobserved(
        &self,
        count: u32,
        destination: CpuDescriptorHandle,
        source: CpuDescriptorHandle,
        heap_type: DescriptorHeapType,
    ) -> Result<(), Error> {
        if count == 0 {
            return Ok(());
        }
        let table = self.inner.descriptors.table();
        let destination = find(&table, destination, count, heap_type, "DestDescriptorRangeStart")?;
        let source = find(&table, source, count, heap_type, "SrcDescriptorRangeStart")?;
        check_source(&source)?;
        check_overlap(&[destination], &[source])?;
        copy(&[destination], &[source]);
        Ok(())
    }
}

fn find_all<'a>(
    table: &'a Table,
    ranges: DescriptorRanges<'_>,
    heap_type: DescriptorHeapType,
    fields: Fields,
) -> Result<Vec<Found<'a>>, Box<Violation>> {
    if let Some(sizes) = ranges.sizes
        && sizes.len() != ranges.starts.len()
    {
        return Err(rules::COPY_SIZES.violated(
            fields.sizes,
            format_args!("{} sizes", sizes.len()),
            format_args!("{}, or NULL", ranges.starts.len()),
        ));
    }
    let mut found = Vec::with_capacity(ranges.starts.len());
    for (at, start) in ranges.starts.iter().enumerate() {
        let count = ranges.sizes.map_or(1, |sizes| sizes[at]);
        if count != 0 {
            found.push(find(table, *start, count, heap_type, fields.starts)?);
        }
    }
    Ok(found)
}

fn find<'a>(
    table: &'a Table,
    start: CpuDescriptorHandle,
    count: u32,
    heap_type: DescriptorHeapType,
    field: &'static str,
) -> Result<Found<'a>, Box<Violation>> {
    let Place { storage, index } =
        table.find_in(start, heap_type).map_err(|violation| named(violation, field))?;
    let left = storage.desc().descriptor_count - index;
    if count > left {
        return Err(rules::COPY_RANGE.violated(
            field,
            format_args!("{count} descriptors from descriptor {index}"),
            format_args!("at most {left} of the heap's {}", storage.desc().descriptor_count),
        ));
    }
    Ok(Found { storage, first: index, count })
}

fn named(mut violation: Box<Violation>, field: &'static str) -> Box<Violation> {
    violation.field = field;
    violation
}

fn total(ranges: &[Found<'_>]) -> u64 {
    ranges.iter().map(|range| u64::from(range.count)).sum()
}

fn check_source(source: &Found<'_>) -> Result<(), Box<Violation>> {
    if source.storage.desc().is_shader_visible() {
        return Err(rules::COPY_SOURCE.violated(
            "pSrcDescriptorRangeStarts",
            format_args!("{source} of a SHADER_VISIBLE heap"),
            "heaps without SHADER_VISIBLE",
        ));
    }
    Ok(())
}

/// Both sorted by where they begin; a walk over the destinations with a finger on the sources.
fn check_overlap(destinations: &[Found<'_>], sources: &[Found<'_>]) -> Result<(), Box<Violation>> {
    if let ([destination], [source]) = (destinations, sources) {
        return check_two(destination, source);
    }
    // No source lies in a heap that shaders see.
    let readable = |range: &&Found<'_>| !range.storage.desc().is_shader_visible();
    let mut destinations: Vec<&Found<'_>> = destinations.iter().filter(readable).collect();
    if destinations.is_empty() {
        return Ok(());
    }
    let mut sources: Vec<&Found<'_>> = sources.iter().collect();
    destinations.sort_unstable_by_key(|range| range.begin());
    sources.sort_unstable_by_key(|range| range.begin());
    let mut behind = None::<&Found<'_>>;
    let mut sources = sources.into_iter().peekable();
    for destination in destinations {
        // Of the sources that begin before the destination does, the one that ends last decides.
        while let Some(source) = sources.next_if(|source| source.begin() <= destination.begin()) {
            if behind.is_none_or(|behind| behind.end() < source.end()) {
                behind = Some(source);
            }
        }
        if let Some(source) = behind {
            check_two(destination, source)?;
        }
        if let Some(source) = sources.peek() {
            check_two(destination, source)?;
        }
    }
    Ok(())
}

fn check_two(destination: &Found<'_>, source: &Found<'_>) -> Result<(), Box<Violation>> {
    if source.begin() < destination.end() && destination.begin() < source.end() {
        return Err(rules::COPY_OVERLAP.violated(
            "pSrcDescriptorRangeStarts",
            format_args!("{source}, while {destination} of the same heap are written"),
            "descriptors that the copy does not write",
        ));
    }
    Ok(())
}

/// Piece by piece: what lies in one range and one chunk on both sides.
fn copy(destinations: &[Found<'_>], sources: &[Found<'_>]) {
    let mut sources = sources.iter().copied();
    let mut source = None::<Found<'_>>;
    for mut destination in destinations.iter().copied() {
        while destination.count != 0 {
            if source.as_ref().is_none_or(|source| source.count == 0) {
                source = sources.next();
            }
            let from = source.as_mut().expect("invariant: both sides are as many descriptors");
            let piece = from.chunk_left().min(destination.chunk_left());
            copy_within_chunks(destination.place(), from.place(), usize_of(piece));
            from.advance(piece);
            destination.advance(piece);
        }
    }
}

fn usize_of(piece: u32) -> usize {
    usize::try_from(piece).expect("invariant: a piece is within a chunk")
}

impl<'a> Found<'a> {
    const fn place(&self) -> Place<'a> {
        Place { storage: self.storage, index: self.first }
    }

    fn begin(&self) -> (u64, u32) {
        (self.storage.cpu_start().ptr, self.first)
    }

    fn end(&self) -> (u64, u32) {
        // Checked when it was found: it ends within the heap.
        (self.storage.cpu_start().ptr, self.first + self.count)
    }

    fn chunk_left(&self) -> u32 {
        self.count.min(CHUNK - self.first % CHUNK)
    }

    fn advance(&mut self, piece: u32) {
        self.first += piece;
        self.count -= piece;
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "descriptors {} to {}", self.first, self.first + (self.count - 1))
    }
}
