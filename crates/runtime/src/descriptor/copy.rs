//! CopyDescriptors and CopyDescriptorsSimple: descriptors are copied by value, at once.

use core::fmt;

use heapstone_spec::Violation;
use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{CpuDescriptorHandle, DescriptorHeapType};

use super::space::{CHUNK, DescriptorSpace, Place, copy_within_chunks};
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
    /// Of its first descriptor.
    place: Place<'a>,
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
    /// none, whatever its handle. A heap that another thread lets go of meanwhile takes part in the rest no more.
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
        let space = &self.inner.descriptors;
        let [destination_fields, source_fields] = FIELDS;
        let destinations = find_all(space, destination, heap_type, destination_fields)?;
        let sources = find_all(space, source, heap_type, source_fields)?;
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
        let space = &self.inner.descriptors;
        let destination = find(space, destination, count, heap_type, "DestDescriptorRangeStart")?;
        let source = find(space, source, count, heap_type, "SrcDescriptorRangeStart")?;
        check_source(&source)?;
        check_two(&destination, &source)?;
        if count <= destination.chunk_left() && count <= source.chunk_left() {
            copy_within_chunks(&destination.place, &source.place, usize_of(count));
        } else {
            copy(&[destination], &[source]);
        }
        Ok(())
    }
}

fn find_all<'a>(
    space: &'a DescriptorSpace,
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
    let mut found: Vec<Found<'_>> = Vec::with_capacity(ranges.starts.len().min(16));
    for (at, start) in ranges.starts.iter().enumerate() {
        let count = ranges.sizes.map_or(1, |sizes| sizes[at]);
        // Many single descriptors are mostly neighbours: what goes on where the range before ends is part of it, and
        // needs no look-up, no place in the checks and no lock of its own. The order stays.
        if count != 0 && !found.last_mut().is_some_and(|last| last.takes(*start, count)) {
            found.push(find(space, *start, count, heap_type, fields.starts)?);
        }
    }
    Ok(found)
}

#[inline(always)]
fn find<'a>(
    space: &'a DescriptorSpace,
    start: CpuDescriptorHandle,
    count: u32,
    heap_type: DescriptorHeapType,
    field: &'static str,
) -> Result<Found<'a>, Box<Violation>> {
    let place = space.find_in(start, heap_type).map_err(|violation| named(violation, field))?;
    if count > place.descriptor_count() - place.index {
        return Err(beyond(place.index, place.descriptor_count(), count, field));
    }
    Ok(Found { place, count })
}

#[cold]
#[inline(never)]
fn beyond(index: u32, all: u32, count: u32, field: &'static str) -> Box<Violation> {
    rules::COPY_RANGE.violated(
        field,
        format_args!("{count} descriptors from descriptor {index}"),
        format_args!("at most {} of the heap's {all}", all - index),
    )
}

#[cold]
fn named(mut violation: Box<Violation>, field: &'static str) -> Box<Violation> {
    violation.field = field;
    violation
}

fn total(ranges: &[Found<'_>]) -> u64 {
    ranges.iter().map(|range| u64::from(range.count)).sum()
}

#[inline(always)]
fn check_source(source: &Found<'_>) -> Result<(), Box<Violation>> {
    if source.place.is_shader_visible() { Err(shader_visible(*source)) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn shader_visible(source: Found<'_>) -> Box<Violation> {
    rules::COPY_SOURCE.violated(
        "pSrcDescriptorRangeStarts",
        format_args!("{source} of a SHADER_VISIBLE heap"),
        "heaps without SHADER_VISIBLE",
    )
}

#[cold]
#[inline(never)]
fn overlapping(destination: Found<'_>, source: Found<'_>) -> Box<Violation> {
    rules::COPY_OVERLAP.violated(
        "pSrcDescriptorRangeStarts",
        format_args!("{source}, while {destination} of the same heap are written"),
        "descriptors that the copy does not write",
    )
}

/// Both sorted by where they begin; a walk over the destinations with a finger on the sources.
fn check_overlap(destinations: &[Found<'_>], sources: &[Found<'_>]) -> Result<(), Box<Violation>> {
    if let ([destination], [source]) = (destinations, sources) {
        return check_two(destination, source);
    }
    // No source lies in a heap that shaders see.
    let readable = |range: &&Found<'_>| !range.place.is_shader_visible();
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

#[inline(always)]
fn check_two(destination: &Found<'_>, source: &Found<'_>) -> Result<(), Box<Violation>> {
    if source.begin() < destination.end() && destination.begin() < source.end() {
        return Err(overlapping(*destination, *source));
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
            // Of 2^32 descriptors mostly nobody ever wrote one: nothing to nothing is no work.
            let untouched = match from.place.untouched_left() {
                // Mostly: the other side needs no look-up then.
                0 => 0,
                left => left.min(destination.place.untouched_left()),
            };
            if untouched != 0 {
                let piece = untouched.min(from.count).min(destination.count);
                from.advance(piece);
                destination.advance(piece);
                continue;
            }
            let piece = from.chunk_left().min(destination.chunk_left());
            copy_within_chunks(&destination.place, &from.place, usize_of(piece));
            from.advance(piece);
            destination.advance(piece);
        }
    }
}

fn usize_of(piece: u32) -> usize {
    usize::try_from(piece).expect("invariant: a piece is within a chunk")
}

impl Found<'_> {
    fn begin(&self) -> (u64, u32) {
        (self.place.heap_start(), self.place.index)
    }

    fn end(&self) -> (u64, u32) {
        // Checked when it was found: it ends within the heap.
        (self.place.heap_start(), self.place.index + self.count)
    }

    /// Takes in a range that begins behind its last descriptor, where that is so and the heap has as many.
    #[inline]
    fn takes(&mut self, start: CpuDescriptorHandle, count: u32) -> bool {
        let end = self.place.index + self.count;
        let is_behind = self.place.descriptor_count() - end >= count && self.place.handle(end) == start;
        if is_behind {
            self.count += count;
        }
        is_behind
    }

    fn chunk_left(&self) -> u32 {
        self.count.min(CHUNK - self.place.index % CHUNK)
    }

    fn advance(&mut self, piece: u32) {
        self.place = self.place.at(self.place.index + piece);
        self.count -= piece;
    }
}

impl fmt::Display for Found<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.place.index;
        write!(f, "descriptors {first} to {}", first + (self.count - 1))
    }
}
