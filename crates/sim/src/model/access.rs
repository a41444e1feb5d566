//! Reads and writes of bytes and elements, wherever they lie.

use core::ops::Range;

use super::Model;
use super::memory::{Cell, TILE, TileKind};
use super::resource::{Place, Resource, Tiles};
use super::swizzle;
use crate::program::Slot;

/// A box of elements of a subresource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Elements {
    pub(crate) subresource: u32,
    pub(crate) origin: [usize; 3],
    pub(crate) size: [usize; 3],
}

/// Physical memory: of a heap, or of a committed resource; a range of bytes, or of cells of a subresource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Physical {
    Heap(Slot, Range<usize>),
    Resource(Slot, Option<Elements>, Range<usize>),
}

impl Physical {
    pub(crate) fn overlaps(&self, other: &Physical) -> bool {
        let ranges = |one: &Range<usize>, two: &Range<usize>| one.start < two.end && two.start < one.end;
        match (self, other) {
            (Physical::Heap(heap, one), Physical::Heap(of, two)) => heap == of && ranges(one, two),
            (Physical::Resource(slot, None, one), Physical::Resource(of, None, two)) => {
                slot == of && ranges(one, two)
            }
            (Physical::Resource(slot, Some(one), _), Physical::Resource(of, Some(two), _)) => {
                let axes = 0..3;
                slot == of
                    && one.subresource == two.subresource
                    && axes.into_iter().all(|axis| {
                        ranges(
                            &(one.origin[axis]..one.origin[axis] + one.size[axis]),
                            &(two.origin[axis]..two.origin[axis] + two.size[axis]),
                        )
                    })
            }
            _ => false,
        }
    }
}

/// A run of elements along x within one tile.
struct TileRun {
    mapped: Option<(Slot, u32)>,
    /// The first element, in the tile.
    at: [usize; 3],
    count: usize,
}

impl Tiles {
    fn run(&self, subresource: u32, [x, y, z]: [usize; 3], count: usize) -> TileRun {
        let grid = self.grids[index(subresource)];
        let shape = self.shape;
        let tile = [x / shape[0], y / shape[1], z / shape[2]];
        let row = tile[2] * usize::from(grid.height_in_tiles) + tile[1];
        let tile = index(grid.start_tile_index) + row * index(grid.width_in_tiles) + tile[0];
        let at = [x % shape[0], y % shape[1], z % shape[2]];
        TileRun { mapped: self.mapping[tile], at, count: count.min(shape[0] - at[0]) }
    }
}

pub(crate) fn index(number: u32) -> usize {
    usize::try_from(number).expect("invariant: 32 bits fit")
}

impl Model {
    /// Bytes of a buffer, which it has. Where a reserved one shows nothing, they are 0 (tier 2 and up).
    pub(crate) fn buffer_read(&self, slot: Slot, range: Range<usize>) -> Vec<Cell> {
        let buffer = &self.resources[&slot];
        match (&buffer.place, &buffer.tiles) {
            (Place::Committed(_), _) => buffer.bytes[range].to_vec(),
            (Place::Placed(heap, _, offset, _), _) => {
                self.heaps[heap].bytes(range.start + offset..range.end + offset).to_vec()
            }
            (Place::Reserved, tiles) => {
                let tiles = tiles.as_ref().expect("invariant: a reserved resource has tiles");
                let mut cells = Vec::with_capacity(range.len());
                for part in tile_parts(range) {
                    match tiles.mapping[part.start / TILE] {
                        None => cells.extend(part.map(|_| Some(0))),
                        Some((heap, tile)) => {
                            let begin = index(tile) * TILE + part.start % TILE;
                            cells.extend_from_slice(self.heaps[&heap].bytes(begin..begin + part.len()));
                        }
                    }
                }
                cells
            }
        }
    }

    /// Where a reserved buffer shows nothing, what is written is dropped (tier 2 and up).
    pub(crate) fn buffer_write(&mut self, slot: Slot, offset: usize, cells: &[Cell]) {
        let buffer = self.resources.get_mut(&slot).expect("invariant: it was looked up");
        match buffer.place {
            Place::Committed(_) => buffer.bytes[offset..offset + cells.len()].copy_from_slice(cells),
            Place::Placed(heap, _, begin, _) => self.heap_write(heap, begin + offset, cells),
            Place::Reserved => {
                let tiles = buffer.tiles.as_ref().expect("invariant: a reserved resource has tiles");
                let mapping = tiles.mapping.clone();
                for part in tile_parts(offset..offset + cells.len()) {
                    if let Some((heap, tile)) = mapping[part.start / TILE] {
                        let written = &cells[part.start - offset..part.end - offset];
                        self.heap_write(heap, index(tile) * TILE + part.start % TILE, written);
                    }
                }
            }
        }
    }

    fn heap_write(&mut self, heap: Slot, offset: usize, cells: &[Cell]) {
        self.forget_textures(heap, offset..offset + cells.len(), None);
        self.heap_mut(heap).write(offset, cells);
    }

    fn heap_mut(&mut self, heap: Slot) -> &mut super::memory::HeapMemory {
        self.heaps.get_mut(&heap).expect("invariant: what lies in a heap keeps it")
    }

    /// Whoever wrote to a heap's bytes made the textures there unknown.
    fn forget_textures(&mut self, heap: Slot, range: Range<usize>, but: Option<Slot>) {
        for (slot, resource) in &mut self.resources {
            let Place::Placed(of, _, offset, size) = resource.place else { continue };
            let is_hit = of == heap && offset < range.end && range.start < offset + size;
            if is_hit && Some(*slot) != but && !resource.desc.is_buffer() {
                resource.is_owner = false;
                resource.cells.iter_mut().for_each(|cells| cells.fill(None));
            }
        }
    }

    /// Elements of a texture, with all samples: x first, then y, z.
    pub(crate) fn texels_read(&self, slot: Slot, elements: &Elements) -> Vec<Cell> {
        let texture = &self.resources[&slot];
        let shape = &texture.subresources[index(elements.subresource)];
        let element = shape.element();
        let mut read = Vec::with_capacity(elements.size.iter().product::<usize>() * element);
        let tiles = texture.tiles.as_ref().filter(|tiles| !tiles.is_packed(elements.subresource));
        let packed = match &texture.tiles {
            Some(tiles) if tiles.is_packed(elements.subresource) => self.packed(slot, texture, shape.slice),
            _ => Packed::Known,
        };
        for [x, y, z] in rows(elements) {
            let Some(tiles) = tiles else {
                let begin = ((z * shape.extent[1] + y) * shape.extent[0] + x) * element;
                let cells = &texture.cells[index(elements.subresource)];
                match packed {
                    Packed::Known => read.extend(&cells[begin..begin + elements.size[0] * element]),
                    Packed::Zero => read.extend((0..elements.size[0] * element).map(|_| Some(0))),
                    Packed::Unknown => read.extend((0..elements.size[0] * element).map(|_| None)),
                }
                continue;
            };
            let mut done = 0;
            while done < elements.size[0] {
                let run = tiles.run(elements.subresource, [x + done, y, z], elements.size[0] - done);
                done += run.count;
                self.run_read(texture, tiles, &run, &mut read);
            }
        }
        read
    }

    fn run_read(&self, texture: &Resource, tiles: &Tiles, run: &TileRun, read: &mut Vec<Cell>) {
        let element = texture.subresources[0].element();
        let Some((heap, tile)) = run.mapped else {
            read.extend((0..run.count * element).map(|_| Some(0)));
            return;
        };
        let (heap, tile) = (&self.heaps[&heap], index(tile));
        if texture.is_standard_swizzle() {
            for step in 0..run.count {
                let at = swizzle::address(texture.is_3d(), element, [run.at[0] + step, run.at[1], run.at[2]]);
                let begin = tile * TILE + at;
                read.extend_from_slice(heap.bytes(begin..begin + element));
            }
            return;
        }
        let begin = linear_in_tile(tiles, run.at) * element;
        match heap.view(tile, &texture.tile_kind()) {
            Some(cells) => read.extend_from_slice(&cells[begin..begin + run.count * element]),
            None => read.extend((0..run.count * element).map(|_| None)),
        }
    }

    /// Writes elements in the order of [`Model::texels_read`].
    pub(crate) fn texels_write(&mut self, slot: Slot, elements: &Elements, cells: &[Cell]) {
        let texture = &self.resources[&slot];
        let shape = texture.subresources[index(elements.subresource)];
        let element = shape.element();
        let packed = texture.tiles.as_ref().map(|tiles| tiles.is_packed(elements.subresource));
        match packed {
            Some(false) => {
                let mut from = cells;
                for [x, y, z] in rows(elements) {
                    let mut done = 0;
                    while done < elements.size[0] {
                        let tiles = self.resources[&slot].tiles.as_ref().expect("invariant: it has tiles");
                        let run = tiles.run(elements.subresource, [x + done, y, z], elements.size[0] - done);
                        done += run.count;
                        let (now, rest) = from.split_at(run.count * element);
                        from = rest;
                        self.run_write(slot, &run, now);
                    }
                }
                return;
            }
            Some(true) if !self.enter_packed(slot, shape.slice) => return,
            Some(true) => {}
            None => self.become_owner(slot),
        }
        let texture = self.resources.get_mut(&slot).expect("invariant: it was looked up");
        let own = &mut texture.cells[index(elements.subresource)];
        let mut from = cells;
        for [x, y, z] in rows(elements) {
            let begin = ((z * shape.extent[1] + y) * shape.extent[0] + x) * element;
            let (now, rest) = from.split_at(elements.size[0] * element);
            from = rest;
            own[begin..begin + now.len()].copy_from_slice(now);
        }
    }

    fn run_write(&mut self, slot: Slot, run: &TileRun, cells: &[Cell]) {
        let Some((heap, tile)) = run.mapped else { return };
        let tile = index(tile);
        self.forget_textures(heap, tile * TILE..(tile + 1) * TILE, None);
        let texture = &self.resources[&slot];
        let element = texture.subresources[0].element();
        let memory = self.heaps.get_mut(&heap).expect("invariant: a mapped heap is alive");
        if texture.is_standard_swizzle() {
            for (step, cells) in cells.chunks(element).enumerate() {
                let at = swizzle::address(texture.is_3d(), element, [run.at[0] + step, run.at[1], run.at[2]]);
                memory.write(tile * TILE + at, cells);
            }
            return;
        }
        let tiles = texture.tiles.as_ref().expect("invariant: it has tiles");
        let begin = linear_in_tile(tiles, run.at) * element;
        memory.view_mut(tile, &texture.tile_kind())[begin..begin + cells.len()].copy_from_slice(cells);
    }

    /// Makes the tile of a heap unknown that a reserved resource's tile shows.
    pub(super) fn forget_tile(&mut self, slot: Slot, tile: usize) {
        let tiles = self.resources[&slot].tiles.as_ref().expect("invariant: it has tiles");
        if let Some((heap, shown)) = tiles.mapping[tile] {
            let begin = index(shown) * TILE;
            self.heap_write(heap, begin, &[None; TILE]);
        }
    }

    /// A placed texture's memory shows what it writes from now on.
    fn become_owner(&mut self, slot: Slot) {
        let texture = self.resources.get_mut(&slot).expect("invariant: it was looked up");
        let Place::Placed(heap, _, offset, size) = texture.place else { return };
        if !texture.is_owner {
            texture.is_owner = true;
            self.forget_textures(heap, offset..offset + size, Some(slot));
            self.heap_mut(heap).forget(offset..offset + size);
        }
    }

    /// What is known of a slice's packed mips.
    fn packed(&self, slot: Slot, texture: &Resource, slice: u32) -> Packed {
        let tiles = texture.tiles.as_ref().expect("invariant: it has tiles");
        let mapped: Vec<Option<(Slot, u32)>> =
            tiles.packed_of(slice).into_iter().map(|tile| tiles.mapping[tile]).collect();
        let is_zero = |mapped: &Option<(Slot, u32)>| {
            mapped.is_none_or(|(heap, tile)| {
                self.heaps[&heap].is_fresh(index(tile) * TILE..(index(tile) + 1) * TILE)
            })
        };
        if mapped.iter().all(is_zero) {
            return Packed::Zero;
        }
        let mut epochs = Vec::new();
        for (number, mapped) in (0_u32..).zip(&mapped) {
            let Some((heap, tile)) = mapped else { return Packed::Unknown };
            match self.heaps[heap].kind(index(*tile)) {
                Some(TileKind::Packed { resource, slice: of, index, epoch })
                    if (*resource, *of, *index) == (slot, slice, number) =>
                {
                    epochs.push(*epoch);
                }
                _ => return Packed::Unknown,
            }
        }
        if epochs.windows(2).all(|pair| pair[0] == pair[1]) { Packed::Known } else { Packed::Unknown }
    }

    /// Makes the packed mips of a slice be what their tiles show; false where their texels are shown nowhere, or
    /// not known even when they were just written.
    fn enter_packed(&mut self, slot: Slot, slice: u32) -> bool {
        let texture = &self.resources[&slot];
        let state = self.packed(slot, texture, slice);
        if state == Packed::Known {
            return true;
        }
        let tiles = texture.tiles.as_ref().expect("invariant: it has tiles");
        let mapped: Vec<Option<(Slot, u32)>> =
            tiles.packed_of(slice).into_iter().map(|tile| tiles.mapping[tile]).collect();
        let is_whole = mapped.iter().all(Option::is_some)
            && (1..mapped.len()).all(|end| !mapped[..end].contains(&mapped[end]));
        self.epoch += 1;
        let epoch = self.epoch;
        for (number, (heap, tile)) in (0..).zip(mapped.into_iter().flatten()) {
            let range = index(tile) * TILE..(index(tile) + 1) * TILE;
            self.forget_textures(heap, range.clone(), None);
            let memory = self.heap_mut(heap);
            if is_whole {
                let kind = TileKind::Packed { resource: slot, slice, index: number, epoch };
                memory.view_mut(index(tile), &kind);
            } else {
                memory.forget(range);
            }
        }
        let texture = self.resources.get_mut(&slot).expect("invariant: it was looked up");
        let cell = (state == Packed::Zero).then_some(0);
        for (shape, cells) in texture.subresources.iter().zip(&mut texture.cells) {
            if shape.slice == slice {
                cells.fill(cell);
            }
        }
        is_whole
    }

    /// Where bytes of a buffer lie.
    pub(crate) fn physical_bytes(&self, slot: Slot, range: Range<usize>) -> Vec<Physical> {
        let buffer = &self.resources[&slot];
        match (&buffer.place, &buffer.tiles) {
            (Place::Placed(heap, _, offset, _), _) => {
                vec![Physical::Heap(*heap, range.start + offset..range.end + offset)]
            }
            (Place::Reserved, Some(tiles)) => tile_parts(range)
                .filter_map(|part| {
                    let (heap, tile) = tiles.mapping[part.start / TILE]?;
                    let begin = index(tile) * TILE + part.start % TILE;
                    Some(Physical::Heap(heap, begin..begin + part.len()))
                })
                .collect(),
            _ => vec![Physical::Resource(slot, None, range)],
        }
    }

    /// Where elements of a texture lie: of a reserved one, their tiles.
    pub(crate) fn physical_texels(&self, slot: Slot, elements: &Elements) -> Vec<Physical> {
        let texture = &self.resources[&slot];
        let tile_of =
            |(heap, tile): (Slot, u32)| Physical::Heap(heap, index(tile) * TILE..(index(tile) + 1) * TILE);
        match (&texture.place, &texture.tiles) {
            (Place::Placed(heap, _, offset, size), _) => vec![Physical::Heap(*heap, *offset..offset + size)],
            (Place::Reserved, Some(tiles)) if tiles.is_packed(elements.subresource) => {
                let slice = texture.subresources[index(elements.subresource)].slice;
                tiles
                    .packed_of(slice)
                    .into_iter()
                    .filter_map(|tile| tiles.mapping[tile])
                    .map(tile_of)
                    .collect()
            }
            (Place::Reserved, Some(tiles)) => {
                let end = |axis: usize| elements.origin[axis] + elements.size[axis];
                let steps = |axis: usize| {
                    let (first, shape) = (elements.origin[axis] / tiles.shape[axis], tiles.shape[axis]);
                    (first..end(axis).div_ceil(shape)).map(move |tile| tile * shape)
                };
                let mut all = Vec::new();
                for z in steps(2) {
                    for y in steps(1) {
                        for x in steps(0) {
                            all.extend(tiles.run(elements.subresource, [x, y, z], 1).mapped.map(tile_of));
                        }
                    }
                }
                all
            }
            _ => vec![Physical::Resource(slot, Some(*elements), 0..0)],
        }
    }
}

/// What is known of packed mips.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Packed {
    Known,
    Zero,
    Unknown,
}

fn linear_in_tile(tiles: &Tiles, [x, y, z]: [usize; 3]) -> usize {
    (z * tiles.shape[1] + y) * tiles.shape[0] + x
}

/// The first elements of the rows of a box.
fn rows(elements: &Elements) -> impl Iterator<Item = [usize; 3]> + use<> {
    let Elements { origin: [x, y, z], size: [_, rows, slices], .. } = *elements;
    (0..slices).flat_map(move |slice| (0..rows).map(move |row| [x, y + row, z + slice]))
}

/// A range of bytes, cut where tiles begin.
pub(crate) fn tile_parts(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut begin = range.start;
    core::iter::from_fn(move || {
        if begin >= range.end {
            return None;
        }
        let end = (begin / TILE + 1).saturating_mul(TILE).min(range.end);
        let part = begin..end;
        begin = end;
        Some(part)
    })
}
