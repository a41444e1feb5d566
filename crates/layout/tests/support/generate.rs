//! Descriptions and adapters from bytes: the generator of the property tests and of the fuzz target.
//!
//! Half of the numbers are ordinary or at an edge, the others anything: so both what is accepted and
//! what overflows is met.

use heapstone_layout::{LayoutRules, Purpose};
use heapstone_spec::caps::{SamplerFeedbackTier, TightAlignmentTier, TiledResourcesTier};
use heapstone_spec::profile::{Profile, SwizzleFamily};
use heapstone_spec::{
    Format, MipRegion, ResourceDesc, ResourceDimension, ResourceFlags, SampleDesc, SdkVersion, TextureLayout,
};

/// Bytes to be drawn from; zeros after the end.
pub(crate) struct Source<'a> {
    bytes: &'a [u8],
}

impl<'a> Source<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Source<'a> {
        Source { bytes }
    }

    fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((first, rest)) => {
                self.bytes = rest;
                *first
            }
            None => 0,
        }
    }

    fn raw(&mut self) -> u64 {
        (0..8).fold(0, |value, _| value << 8 | u64::from(self.byte()))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()]
    }

    fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// A number up to `max`: small, a power of two and its neighbours, or any.
    fn number(&mut self, max: u64) -> u64 {
        let value = match self.byte() % 4 {
            0 => u64::from(self.byte()),
            1 => 1 << (self.byte() % 64),
            2 => (1_u64 << (self.byte() % 64)).wrapping_add(u64::from(self.byte())).wrapping_sub(128),
            _ => self.raw(),
        };
        if max == u64::MAX { value } else { value % (max + 1) }
    }

    /// A description with anything in any field.
    pub(crate) fn desc(&mut self) -> ResourceDesc {
        let alignment = match self.byte() % 3 {
            0 => 0,
            1 => self.pick(&[1, 8, 256, 4096, 65_536, 4_194_304]),
            _ => self.number(u64::MAX),
        };
        let flags = if self.flag() {
            ResourceFlags::from_bits_truncate(1 << (self.byte() % 32) | 1 << (self.byte() % 32))
        } else {
            ResourceFlags::from_bits_retain(u32::try_from(self.number(u64::from(u32::MAX))).unwrap_or(0))
        };
        ResourceDesc {
            dimension: self.pick(ResourceDimension::ALL),
            alignment,
            width: self.number(u64::MAX),
            height: u32::try_from(self.number(u64::from(u32::MAX))).unwrap_or(0),
            depth_or_array_size: u16::try_from(self.number(u64::from(u16::MAX))).unwrap_or(0),
            mip_levels: if self.byte() < 240 {
                u16::from(self.byte() % 20)
            } else {
                u16::try_from(self.number(u64::from(u16::MAX))).unwrap_or(0)
            },
            format: self.pick(Format::ALL),
            sample_desc: SampleDesc {
                count: u32::try_from(self.number(u64::from(u32::MAX))).unwrap_or(0),
                quality: self.pick(&[0, 1, u32::MAX]),
            },
            layout: self.pick(TextureLayout::ALL),
            flags,
            sampler_feedback_mip_region: MipRegion {
                width: self.pick(&[0, 0, 0, 4, 8, 3, u32::MAX]),
                height: self.pick(&[0, 0, 0, 4, 8, 3, u32::MAX]),
                depth: self.pick(&[0, 0, 0, 1, u32::MAX]),
            },
        }
    }

    /// A description whose fields are each in their range: often legal.
    pub(crate) fn plausible_desc(&mut self) -> ResourceDesc {
        let format = self.pick(Format::ALL);
        let (width, height) = (1 + self.number(2047), 1 + u32::try_from(self.number(2047)).unwrap_or(0));
        let slices = 1 + u16::from(self.byte() % 8);
        let mips = u16::from(self.byte() % 16);
        let desc = match self.byte() % 4 {
            0 => {
                return ResourceDesc::buffer(1 + self.number((1 << 41) - 1))
                    .with_flags(self.flags())
                    .with_alignment(self.pick(&[0, 0, 8, 256, 4096, 65_536]));
            }
            1 => ResourceDesc::texture_1d(format, width).with_array_size(slices),
            2 => ResourceDesc::texture_3d(format, width % 300 + 1, height % 300 + 1, slices * 17),
            _ => ResourceDesc::texture_2d(format, width, height).with_array_size(slices),
        };
        let samples = self.pick(&[1, 1, 1, 1, 2, 4, 8, 16]);
        let region = self.pick(&[0, 0, 4, 8]);
        let desc = ResourceDesc {
            sampler_feedback_mip_region: MipRegion { width: region, height: region, depth: 0 },
            ..desc
        };
        desc.with_samples(samples)
            .with_mip_levels(if samples > 1 { 1 } else { mips })
            .with_flags(self.flags())
            .with_alignment(self.pick(&[0, 0, 0, 8, 256, 4096, 65_536, 4_194_304]))
            .with_layout(self.pick(&[
                TextureLayout::Unknown,
                TextureLayout::Unknown,
                TextureLayout::Undefined64KbSwizzle,
                TextureLayout::Standard64KbSwizzle,
                TextureLayout::RowMajor,
            ]))
    }

    fn flags(&mut self) -> ResourceFlags {
        let none = ResourceFlags::empty();
        let usage = self.pick(&[
            none,
            none,
            ResourceFlags::ALLOW_RENDER_TARGET,
            ResourceFlags::ALLOW_DEPTH_STENCIL,
            ResourceFlags::ALLOW_UNORDERED_ACCESS,
        ]);
        let sharing = self.pick(&[
            none,
            none,
            none,
            ResourceFlags::ALLOW_CROSS_ADAPTER,
            ResourceFlags::ALLOW_SIMULTANEOUS_ACCESS,
        ]);
        let tight = if self.flag() { ResourceFlags::USE_TIGHT_ALIGNMENT } else { none };
        usage | sharing | tight
    }

    /// Rules of an adapter and an SDK that were drawn.
    pub(crate) fn rules(&mut self, base: &Profile) -> LayoutRules {
        let mut profile = base.clone();
        let caps = &mut profile.caps;
        caps.tiled_resources_tier = self.pick(TiledResourcesTier::ALL);
        caps.standard_swizzle_64kb = self.flag();
        caps.cross_adapter_row_major_texture = self.flag();
        caps.msaa_64kb_aligned_texture = self.flag();
        caps.tight_alignment_tier = self.pick(TightAlignmentTier::ALL);
        caps.unaligned_block_textures = self.flag();
        caps.writeable_msaa_textures = self.flag();
        caps.sampler_feedback_tier = self.pick(SamplerFeedbackTier::ALL);
        caps.sample_count_max = self.pick(&[1, 4, 8, 16, 32, u32::MAX]);
        let layout = &mut profile.layout;
        layout.unknown_pattern = self.family();
        layout.image_alignment = self.pick(&[65_536, 262_144, 3, u64::MAX]);
        layout.tight_buffer_alignment = self.pick(&[8, 16, 256, 0, u64::MAX]);
        layout.tight_texture_alignment = self.pick(&[8, 256, 4096, 65_536, 0, u64::MAX]);
        layout.render_target_metadata_ratio = self.pick(&[0, 256, 1, u32::MAX]);
        layout.depth_stencil_metadata_ratio = self.pick(&[0, 128, 1, u32::MAX]);
        profile.gpu_va.bits_per_resource = self.pick(&[31, 40, 63, 64, u32::MAX]);
        LayoutRules::new(&profile, self.pick(SdkVersion::ALL))
    }

    pub(crate) fn family(&mut self) -> SwizzleFamily {
        self.pick(&SwizzleFamily::ALL)
    }

    pub(crate) fn purpose(&mut self) -> Purpose {
        self.pick(&[Purpose::Query, Purpose::Placed, Purpose::Committed, Purpose::Reserved])
    }

    /// A subresource index or a count.
    pub(crate) fn index(&mut self) -> u32 {
        u32::try_from(self.number(u64::from(u32::MAX))).unwrap_or(0)
    }

    pub(crate) fn offset(&mut self) -> u64 {
        self.number(u64::MAX)
    }
}
