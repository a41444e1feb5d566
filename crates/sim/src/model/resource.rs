//! A resource of the model, and the tiles of a reserved one.

use heapstone::spec::tiles::{TileBox, TileRegionSize, TiledResourceCoordinate};
use heapstone::{HeapType, ResourceDesc, ResourceDimension, SubresourceTiling, TextureLayout};
use heapstone_layout::{LayoutRules, legal_resource_tiling};

use super::memory::{Cell, TILE, TileKind};
use crate::program::Slot;
use crate::shape::{self, Subresource};

/// Where a resource's bytes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Committed(HeapType),
    /// Heap, heap type, offset, size.
    Placed(Slot, HeapType, usize, usize),
    Reserved,
}

#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) desc: ResourceDesc,
    pub(crate) place: Place,
    /// Whether the CPU reaches its memory: it reads there what it wants, or only writes.
    pub(crate) cpu: CpuAccess,
    pub(crate) subresources: Vec<Subresource>,
    /// Of a committed buffer.
    pub(crate) bytes: Vec<Cell>,
    /// Of a committed or placed texture, by subresources; of a reserved one only of packed mips.
    pub(crate) cells: Vec<Vec<Cell>>,
    /// Whether a placed texture wrote to its memory last.
    pub(crate) is_owner: bool,
    pub(crate) tiles: Option<Tiles>,
}

/// What the CPU may do with a resource's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CpuAccess {
    None,
    All,
}

impl Resource {
    pub(crate) fn new(desc: ResourceDesc, place: Place, cpu: CpuAccess, fresh: bool) -> Resource {
        let subresources = shape::subresources(&desc);
        let zero: Cell = fresh.then_some(0);
        let bytes = match place {
            Place::Committed(_) if desc.is_buffer() => vec![zero; size_of_buffer(&desc)],
            _ => Vec::new(),
        };
        let of = |subresource: &Subresource| vec![zero; subresource.count() * subresource.element()];
        let cells = subresources.iter().map(of).collect();
        Resource { desc, place, cpu, subresources, bytes, cells, is_owner: false, tiles: None }
    }

    pub(crate) fn heap_type(&self) -> Option<HeapType> {
        match self.place {
            Place::Committed(heap_type) | Place::Placed(_, heap_type, ..) => Some(heap_type),
            Place::Reserved => None,
        }
    }

    pub(crate) fn is_standard_swizzle(&self) -> bool {
        self.desc.layout == TextureLayout::Standard64KbSwizzle
    }

    pub(crate) fn subresource(&self, index: u32) -> Option<&Subresource> {
        self.subresources.get(usize::try_from(index).ok()?)
    }

    pub(crate) fn is_3d(&self) -> bool {
        self.desc.dimension == ResourceDimension::Texture3D
    }

    /// How a tile of texels is seen.
    pub(crate) fn tile_kind(&self) -> TileKind {
        let first = &self.subresources[0];
        TileKind::Texels {
            is_3d: self.is_3d(),
            bytes: first.bytes,
            samples: first.samples,
            family: self.desc.format.info().family,
        }
    }
}

fn size_of_buffer(desc: &ResourceDesc) -> usize {
    usize::try_from(desc.width).expect("invariant: a program's buffers are small")
}

/// The tiles of a reserved resource, one after the other.
#[derive(Debug)]
pub(crate) struct Tiles {
    pub(crate) grids: Vec<SubresourceTiling>,
    pub(crate) names: Vec<TileName>,
    /// Of each tile: a heap's.
    pub(crate) mapping: Vec<Option<(Slot, u32)>>,
    /// Elements of a tile along x, y, z.
    pub(crate) shape: [usize; 3],
    mips: u32,
    slices: u32,
    standard_mips: u32,
    is_3d: bool,
    is_buffer: bool,
}

/// What a tile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TileName {
    /// Of a mip: subresource and place.
    Standard(u32, [u32; 3]),
    /// Of a slice's packed mips: slice and number.
    Packed(u32, u32),
}

impl Tiles {
    /// Of a legal description.
    pub(crate) fn new(rules: &LayoutRules, desc: &ResourceDesc) -> Option<Tiles> {
        let is_3d = desc.dimension == ResourceDimension::Texture3D;
        let (mips, slices) = (u32::from(desc.mip_levels), shape::slices(desc));
        let count = usize::try_from(mips * slices).ok()?;
        let mut grids = vec![SubresourceTiling::PACKED; count];
        let tiling = legal_resource_tiling(rules, desc, 0, &mut grids).ok()?;
        let is_buffer = desc.is_buffer();
        let standard_mips = if is_buffer { 1 } else { u32::from(tiling.packed.standard_mips) };
        let mut names = Vec::new();
        for slice in 0..slices {
            for mip in 0..mips {
                let index = mip + slice * mips;
                let grid = grids[usize::try_from(index).ok()?];
                for z in 0..u32::from(grid.depth_in_tiles) {
                    for y in 0..u32::from(grid.height_in_tiles) {
                        let row = 0..grid.width_in_tiles;
                        names.extend(row.map(|x| TileName::Standard(index, [x, y, z])));
                    }
                }
            }
            names.extend((0..tiling.packed.tiles_for_packed_mips).map(|x| TileName::Packed(slice, x)));
        }
        let block = shape::element_of(desc.format).map_or([1, 1], |(_, block)| block);
        let tile = tiling.tile_shape;
        let shape = [tile.width_in_texels / block[0], tile.height_in_texels / block[1], tile.depth_in_texels];
        Some(Tiles {
            mapping: vec![None; names.len()],
            grids,
            names,
            shape: shape.map(|extent| usize::try_from(extent).unwrap_or(TILE)),
            mips,
            slices,
            standard_mips,
            is_3d,
            is_buffer,
        })
    }

    /// Whether a subresource's mip is packed.
    pub(crate) fn is_packed(&self, subresource: u32) -> bool {
        !self.is_buffer && subresource % self.mips >= self.standard_mips
    }

    /// The packed tiles of a slice, by their place in the resource.
    pub(crate) fn packed_of(&self, slice: u32) -> Vec<usize> {
        let of_slice = |name: &TileName| matches!(name, TileName::Packed(of, _) if *of == slice);
        (0..).zip(&self.names).filter(|(_, name)| of_slice(name)).map(|(index, _)| index).collect()
    }

    fn index(&self, name: TileName) -> Option<usize> {
        self.names.iter().position(|known| *known == name)
    }

    fn start(&self, start: &TiledResourceCoordinate) -> Option<usize> {
        if start.subresource >= self.mips * self.slices {
            return None;
        }
        if self.is_packed(start.subresource) {
            let slice = start.subresource / self.mips;
            return if start.y == 0 && start.z == 0 {
                self.index(TileName::Packed(slice, start.x))
            } else {
                None
            };
        }
        self.index(TileName::Standard(start.subresource, [start.x, start.y, start.z]))
    }

    /// The tiles of a region in their order; `None` where D3D12 refuses it.
    pub(crate) fn region(
        &self,
        start: &TiledResourceCoordinate,
        size: &TileRegionSize,
    ) -> Option<Vec<usize>> {
        let first = self.start(start)?;
        let Some(TileBox { width, height, depth }) = size.tile_box else {
            let end = first.checked_add(usize::try_from(size.num_tiles).ok()?)?;
            return (end <= self.names.len()).then(|| (first..end).collect());
        };
        if self.is_packed(start.subresource) {
            return None;
        }
        let height = if self.is_buffer { 1 } else { u32::from(height) };
        let depth = if self.is_3d || self.slices > 1 { u32::from(depth) } else { 1 };
        if u64::from(width) * u64::from(height) * u64::from(depth) != u64::from(size.num_tiles) {
            return None;
        }
        let mut tiles = Vec::new();
        for z in 0..depth {
            for y in 0..height {
                for x in 0..width {
                    tiles.push(self.neighbour(start, [x, y, z])?);
                }
            }
        }
        Some(tiles)
    }

    /// The tile `[x, y, z]` on from `start`; z leads to the next slice of an array.
    fn neighbour(&self, start: &TiledResourceCoordinate, [x, y, z]: [u32; 3]) -> Option<usize> {
        let (x, y) = (start.x.checked_add(x)?, start.y.checked_add(y)?);
        if self.is_3d {
            return self.index(TileName::Standard(start.subresource, [x, y, start.z.checked_add(z)?]));
        }
        let subresource = start.subresource.checked_add(z.checked_mul(self.mips)?)?;
        self.index(TileName::Standard(subresource, [x, y, start.z]))
    }
}
