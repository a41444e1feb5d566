//! Heaps, resources, and what the CPU does with them.

use heapstone::spec::caps::{ResourceHeapTier, TightAlignmentTier, TiledResourcesTier};
use heapstone::spec::commands::Box3D;
use heapstone::{
    CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, ResourceDesc,
    ResourceDimension, ResourceFlags, TextureLayout,
};
use heapstone_spec::{FormatKind, FormatUses};

use super::{Generator, is_buffer, is_texture};
use crate::program::{Slot, Step};

const KIB_64: u64 = 65_536;

/// Which of a heap's categories a resource belongs to (spec/2-resource-heaps.txt 369-372).
fn category(desc: &ResourceDesc) -> HeapFlags {
    if desc.is_buffer() {
        HeapFlags::ALLOW_ONLY_BUFFERS
    } else if desc.is_rt_ds() {
        HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES
    } else {
        HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES
    }
}

impl Generator<'_, '_> {
    fn cpu_textures() -> HeapProperties {
        HeapProperties::custom(CpuPageProperty::WriteBack, MemoryPool::L0)
    }

    pub(super) fn heap(&mut self) {
        let is_tier_1 = self.profile.caps.resource_heap_tier == ResourceHeapTier::Tier1;
        let flags = if is_tier_1 {
            *self.source.pick(&[
                HeapFlags::ALLOW_ONLY_BUFFERS,
                HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES,
                HeapFlags::ALLOW_ONLY_RT_DS_TEXTURES,
            ])
        } else {
            HeapFlags::empty()
        };
        let properties = match self.source.below(10) {
            0..7 => HeapProperties::new(HeapType::Default),
            7 | 8 => Self::cpu_textures(),
            _ if flags.is_empty() || flags == HeapFlags::ALLOW_ONLY_BUFFERS => {
                HeapProperties::new(HeapType::Upload)
            }
            _ => HeapProperties::new(HeapType::Default),
        };
        let size = u64::from(self.source.within(3, 12)) * KIB_64;
        let heap = self.slot();
        if self.object(Step::CreateHeap { heap, desc: HeapDesc { size, properties, alignment: 0, flags } }) {
            self.heaps.push(heap);
        }
    }

    pub(super) fn buffer(&mut self) {
        let width = match self.source.below(4) {
            0 => u64::from(self.source.within(1, 3000)),
            1 => u64::from(self.source.within(3000, 100_000)),
            _ => u64::from(self.source.within(1, 5)) * KIB_64,
        };
        let heap_type = *self.source.pick(&[
            HeapType::Upload,
            HeapType::Default,
            HeapType::Default,
            HeapType::Readback,
            HeapType::Default,
        ]);
        let mut desc = ResourceDesc::buffer(width);
        if heap_type == HeapType::Default && self.source.chance(50) {
            desc.flags |= ResourceFlags::ALLOW_UNORDERED_ACCESS;
        }
        if self.profile.caps.tight_alignment_tier == TightAlignmentTier::Tier1 && self.source.chance(25) {
            desc.flags |= ResourceFlags::USE_TIGHT_ALIGNMENT;
        }
        self.place(heap_type, desc);
    }

    /// Places the resource in a heap, or commits it.
    fn place(&mut self, heap_type: HeapType, desc: ResourceDesc) {
        let resource = self.slot();
        if heap_type == HeapType::Default && self.source.chance(60) && !self.heaps.is_empty() {
            let heap = *self.source.pick(&self.heaps);
            let Some(heap_desc) = self.model.heap_desc(heap).copied() else { return };
            let takes = heap_desc.flags.is_empty() || heap_desc.flags == category(&desc);
            let is_upload = heap_desc.properties.heap_type == HeapType::Upload;
            if takes
                && (!is_upload
                    || desc.is_buffer()
                        && desc.flags.difference(ResourceFlags::USE_TIGHT_ALIGNMENT).is_empty())
            {
                let step = *self.source.pick(&[KIB_64, KIB_64, 4096, 256]);
                let offset = self.source.below(heap_desc.size / step) * step;
                // Tight resources lie anywhere; others are refused between 64 KiB.
                let offset =
                    if self.source.chance(90) && !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
                        offset / KIB_64 * KIB_64
                    } else {
                        offset
                    };
                self.object(Step::CreatePlaced { resource, heap, offset, desc });
                return;
            }
        }
        let is_cpu_texture = !desc.is_buffer() && self.source.chance(40);
        let properties = if is_cpu_texture { Self::cpu_textures() } else { HeapProperties::new(heap_type) };
        self.object(Step::CreateCommitted { resource, properties, desc });
    }

    fn extent(&mut self) -> u32 {
        match self.source.below(6) {
            0 => 1,
            1..5 => self.source.within(1, 24),
            _ => self.source.within(1, 70),
        }
    }

    pub(super) fn texture(&mut self) {
        let format = *self.source.pick(Format::ALL);
        let uses = format.uses();
        let info = format.info();
        let round = |extent: u32, to: u8| extent.next_multiple_of(u32::from(to));
        let (width, height) = (self.extent(), self.extent());
        let (width, height) = (round(width, info.width_alignment), round(height, info.height_alignment));
        let mut desc = ResourceDesc::texture_2d(format, u64::from(width), height);
        match self.source.below(5) {
            0 if uses.contains(FormatUses::TEXTURE1D) => desc = ResourceDesc::texture_1d(format, desc.width),
            1 if uses.contains(FormatUses::TEXTURE3D) => {
                let depth = u16::try_from(self.source.within(1, 9)).unwrap_or(1);
                desc = ResourceDesc::texture_3d(format, desc.width, desc.height.min(24), depth);
            }
            _ => {}
        }
        if desc.dimension != ResourceDimension::Texture3D && self.source.chance(30) {
            desc.depth_or_array_size = u16::try_from(self.source.within(2, 4)).unwrap_or(2);
        }
        if uses.contains(FormatUses::MIP) {
            desc.mip_levels = *self.source.pick(&[1, 1, 2, 3, 0]);
        }
        if self.source.chance(50) {
            self.written(&mut desc);
        }
        if self.source.chance(20) && self.samples(desc) {
            return;
        }
        let caps = &self.profile.caps;
        if caps.standard_swizzle_64kb && self.source.chance(12) {
            desc.layout = TextureLayout::Standard64KbSwizzle;
        } else if self.source.chance(8) {
            desc.layout = TextureLayout::Undefined64KbSwizzle;
        } else if caps.tight_alignment_tier == TightAlignmentTier::Tier1 && self.source.chance(25) {
            desc.flags |= ResourceFlags::USE_TIGHT_ALIGNMENT;
        } else if self.source.chance(20) {
            desc.alignment = 4096;
        }
        self.place(HeapType::Default, desc);
        if self.source.chance(25) {
            // Another of its shape, to copy all of it to.
            self.place(HeapType::Default, desc);
        }
    }

    /// Flags by which the GPU writes it.
    fn written(&mut self, desc: &mut ResourceDesc) {
        let uses = desc.format.uses();
        if uses.contains(FormatUses::DEPTH_STENCIL) {
            if desc.dimension != ResourceDimension::Texture3D {
                desc.flags |= ResourceFlags::ALLOW_DEPTH_STENCIL;
            }
            return;
        }
        if uses.contains(FormatUses::RENDER_TARGET) && self.source.chance(70) {
            desc.flags |= ResourceFlags::ALLOW_RENDER_TARGET;
        }
        if uses.contains(FormatUses::TYPED_UAV) && self.source.chance(60) {
            desc.flags |= ResourceFlags::ALLOW_UNORDERED_ACCESS;
        }
    }

    /// A multisampled texture, with another of one sample to resolve to.
    fn samples(&mut self, desc: ResourceDesc) -> bool {
        let uses = desc.format.uses();
        let is_2d = desc.dimension == ResourceDimension::Texture2D;
        if !is_2d || !uses.contains(FormatUses::MULTISAMPLE) {
            return false;
        }
        let flag = if uses.contains(FormatUses::DEPTH_STENCIL) {
            ResourceFlags::ALLOW_DEPTH_STENCIL
        } else {
            ResourceFlags::ALLOW_RENDER_TARGET
        };
        let samples = 2 << self.source.below(3);
        let desc = ResourceDesc { mip_levels: 1, flags: flag, ..desc };
        for _ in 0..self.source.within(1, 2) {
            let resource = self.slot();
            let desc = desc.with_samples(samples);
            let properties = HeapProperties::new(HeapType::Default);
            self.object(Step::CreateCommitted { resource, properties, desc });
        }
        self.place(HeapType::Default, desc);
        true
    }

    pub(super) fn reserved(&mut self) {
        if self.profile.caps.tiled_resources_tier == TiledResourcesTier::NotSupported {
            return;
        }
        let desc = if self.source.chance(40) {
            ResourceDesc::buffer(u64::from(self.source.within(1, 6)) * KIB_64 - self.source.below(70))
        } else {
            self.reserved_texture()
        };
        let resource = self.slot();
        if self.object(Step::CreateReserved { resource, desc }) {
            self.first_mapping(resource);
        }
    }

    fn reserved_texture(&mut self) -> ResourceDesc {
        let tiled = |format: &&Format| {
            let info = format.info();
            format.uses().contains(FormatUses::TILED)
                && info.plane_count == 1
                && info.bits_per_element >= 32
                && !info.kind.contains(FormatKind::OPAQUE)
        };
        let formats: Vec<Format> = Format::ALL.iter().filter(tiled).copied().collect();
        let format = *self.source.pick(&formats);
        let is_block = format.info().kind.contains(FormatKind::BLOCK_COMPRESSED);
        let scale = if is_block { 4 } else { 1 };
        let (width, height) = (self.source.within(1, 150) * scale, self.source.within(1, 100) * scale);
        let mut desc = ResourceDesc::texture_2d(format, u64::from(width), height);
        if format.uses().contains(FormatUses::TEXTURE3D)
            && self.profile.caps.tiled_resources_tier >= TiledResourcesTier::Tier3
            && self.source.chance(25)
        {
            // Over the edges of tiles of 16 and 32 slices.
            let depth = u16::try_from(self.source.within(1, 36)).unwrap_or(1);
            let side = |extent: u32| extent.min(35 * scale);
            desc = ResourceDesc::texture_3d(format, u64::from(side(width)), side(height), depth);
        } else if self.source.chance(25) {
            desc.depth_or_array_size = 2;
        }
        if format.uses().contains(FormatUses::MIP) {
            desc.mip_levels = *self.source.pick(&[1, 1, 2, 3, 0]);
        }
        if self.source.chance(40) {
            self.written(&mut desc);
        }
        let takes_samples =
            format.uses().contains(FormatUses::MULTISAMPLE) && desc.dimension == ResourceDimension::Texture2D;
        if takes_samples && self.source.chance(20) {
            let flag = if format.uses().contains(FormatUses::DEPTH_STENCIL) {
                ResourceFlags::ALLOW_DEPTH_STENCIL
            } else {
                ResourceFlags::ALLOW_RENDER_TARGET
            };
            desc = ResourceDesc { mip_levels: 1, flags: flag, ..desc };
            desc = desc.with_samples(2 << self.source.below(3));
            desc.height = desc.height.min(50);
            return desc.with_layout(TextureLayout::Undefined64KbSwizzle);
        }
        let is_standard = self.profile.caps.standard_swizzle_64kb && self.source.chance(60);
        desc.with_layout(if is_standard {
            TextureLayout::Standard64KbSwizzle
        } else {
            TextureLayout::Undefined64KbSwizzle
        })
    }

    pub(super) fn write_buffer(&mut self) {
        let Some(resource) = self.pick(|model, slot| is_buffer(model, slot) && model.cpu_reads(slot)) else {
            return;
        };
        let width = self.model.desc(resource).map_or(0, |desc| desc.width);
        let offset = if self.source.chance(40) { 0 } else { self.source.below(width) };
        let mut size = self.source.below(width - offset + 1);
        if self.source.chance(3) {
            size = width - offset + 1;
        }
        let seed = self.source.word();
        self.steps.push(Step::WriteBuffer { resource, offset, size, seed });
    }

    pub(super) fn cpu_texels(&mut self) {
        let Some(resource) = self.pick(|model, slot| is_texture(model, slot) && model.cpu_reads(slot)) else {
            return self.write_buffer();
        };
        let (subresource, texels) = self.texels(resource);
        let row_padding = self.source.below_u32(40);
        if self.source.chance(30) {
            self.steps.push(Step::ReadTexels { resource, subresource, texels, row_padding });
            return;
        }
        let (slice_padding, seed) = (self.source.below_u32(40), self.source.word());
        self.steps.push(Step::WriteTexels {
            resource,
            subresource,
            texels,
            row_padding,
            slice_padding,
            seed,
        });
    }

    /// A subresource and a box of it.
    fn texels(&mut self, resource: Slot) -> (u32, Option<Box3D>) {
        let shapes = self.model.subresources(resource).to_vec();
        let index = u32::try_from(shapes.len()).unwrap_or(u32::MAX);
        let subresource = if self.source.chance(3) { index } else { self.source.below_u32(index) };
        let shape =
            usize::try_from(subresource).ok().and_then(|index| shapes.get(index)).unwrap_or(&shapes[0]);
        if self.source.chance(40) {
            return (subresource, None);
        }
        let size = self.size_within(shape.extent);
        let origin = self.origin_within(shape.extent, size);
        let mut texels = texels_of(shape.block, origin, size);
        if self.source.chance(5) {
            texels.right += 1;
        }
        (subresource, Some(texels))
    }

    /// A size that fits an extent, in elements.
    pub(super) fn size_within(&mut self, extent: [usize; 3]) -> [usize; 3] {
        extent.map(|extent| {
            let bound = u64::try_from(extent).unwrap_or(1);
            usize::try_from(self.source.below(bound)).unwrap_or(0) + 1
        })
    }

    /// Where a size fits an extent.
    pub(super) fn origin_within(&mut self, extent: [usize; 3], size: [usize; 3]) -> [usize; 3] {
        [0, 1, 2].map(|axis: usize| {
            let bound = u64::try_from(extent[axis] - size[axis]).unwrap_or(0) + 1;
            usize::try_from(self.source.below(bound)).unwrap_or(0)
        })
    }
}

/// A box of elements in texels.
pub(super) fn texels_of(block: [u32; 2], origin: [usize; 3], size: [usize; 3]) -> Box3D {
    let [left, top, front] = in_texels(block, origin);
    let [width, height, depth] = in_texels(block, size);
    Box3D { left, top, front, right: left + width, bottom: top + height, back: front + depth }
}

/// Elements in texels.
pub(super) fn in_texels(block: [u32; 2], elements: [usize; 3]) -> [u32; 3] {
    let [x, y, z] = elements.map(|at| u32::try_from(at).unwrap_or(u32::MAX));
    [x * block[0], y * block[1], z]
}
