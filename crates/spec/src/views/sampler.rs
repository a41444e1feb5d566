//! D3D12_SAMPLER_DESC2.

use serde::{Deserialize, Serialize};

use crate::enums::d3d12_enum;
use crate::rules::Violation;
use crate::rules::view as rules;
use crate::sdk::SdkVersion;

d3d12_enum! {
    /// D3D12_TEXTURE_ADDRESS_MODE.
    TextureAddressMode as "D3D12_TEXTURE_ADDRESS_MODE" {
        /// Repeated.
        Wrap = 1, "WRAP";
        /// Repeated, every other one mirrored.
        Mirror = 2, "MIRROR";
        /// The edge's texel.
        Clamp = 3, "CLAMP";
        /// The border colour.
        Border = 4, "BORDER";
        /// Mirrored once, then the edge's texel.
        MirrorOnce = 5, "MIRROR_ONCE";
    }
}

d3d12_enum! {
    /// D3D12_COMPARISON_FUNC.
    ComparisonFunc as "D3D12_COMPARISON_FUNC" {
        /// No comparison.
        None = 0, "NONE";
        /// Never passes.
        Never = 1, "NEVER";
        /// Passes where the source is less.
        Less = 2, "LESS";
        /// Passes where both are equal.
        Equal = 3, "EQUAL";
        /// Passes where the source is less or equal.
        LessEqual = 4, "LESS_EQUAL";
        /// Passes where the source is greater.
        Greater = 5, "GREATER";
        /// Passes where both differ.
        NotEqual = 6, "NOT_EQUAL";
        /// Passes where the source is greater or equal.
        GreaterEqual = 7, "GREATER_EQUAL";
        /// Always passes.
        Always = 8, "ALWAYS";
    }
}

d3d12_enum! {
    /// D3D12_FILTER_REDUCTION_TYPE: what becomes of the texels that a filter takes.
    FilterReduction as "D3D12_FILTER_REDUCTION_TYPE" {
        /// Their weighted mean.
        Standard = 0, "STANDARD";
        /// The weighted mean of their comparisons.
        Comparison = 1, "COMPARISON";
        /// The least.
        Minimum = 2, "MINIMUM";
        /// The greatest.
        Maximum = 3, "MAXIMUM";
    }
}

/// D3D12_FILTER, taken apart. Not every combination is one of D3D12's filters: see [`Filter::is_legal`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// Linear where texels get smaller; else point.
    pub min_linear: bool,
    /// Linear where they get larger; else point.
    pub mag_linear: bool,
    /// Linear between mips; else the nearest.
    pub mip_linear: bool,
    /// Anisotropic.
    pub anisotropic: bool,
    /// What becomes of the texels taken.
    pub reduction: FilterReduction,
}

impl Filter {
    /// D3D12_FILTER_MIN_MAG_MIP_POINT.
    pub const MIN_MAG_MIP_POINT: Filter = Filter {
        min_linear: false,
        mag_linear: false,
        mip_linear: false,
        anisotropic: false,
        reduction: FilterReduction::Standard,
    };

    /// D3D12_FILTER_MIN_MAG_MIP_LINEAR.
    pub const MIN_MAG_MIP_LINEAR: Filter =
        Filter { min_linear: true, mag_linear: true, mip_linear: true, ..Filter::MIN_MAG_MIP_POINT };

    /// D3D12_FILTER_ANISOTROPIC.
    pub const ANISOTROPIC: Filter = Filter { anisotropic: true, ..Filter::MIN_MAG_MIP_LINEAR };

    /// The same with another reduction.
    #[must_use]
    pub const fn with_reduction(self, reduction: FilterReduction) -> Filter {
        Filter { reduction, ..self }
    }

    /// Whether it is one of the 36 filters of D3D12's public headers: an anisotropic one is linear on every
    /// axis. (The later ones of AnisoFilterWithPointMipSupported are not: no profile reports it.)
    #[must_use]
    pub const fn is_legal(self) -> bool {
        !self.anisotropic || (self.min_linear && self.mag_linear && self.mip_linear)
    }

    /// D3D12's number.
    #[must_use]
    pub fn to_d3d12(self) -> u32 {
        u32::from(self.mip_linear)
            | u32::from(self.mag_linear) << 2
            | u32::from(self.min_linear) << 4
            | u32::from(self.anisotropic) << 6
            | self.reduction.to_d3d12() << 7
    }

    /// The filter of D3D12's number, or `None` where D3D12 has none.
    #[must_use]
    pub fn from_d3d12(number: u32) -> Option<Filter> {
        if number & !0x1d5 != 0 {
            return None;
        }
        let is_set = |bit: u32| number >> bit & 1 == 1;
        let filter = Filter {
            min_linear: is_set(4),
            mag_linear: is_set(2),
            mip_linear: is_set(0),
            anisotropic: is_set(6),
            reduction: FilterReduction::from_d3d12(number >> 7)?,
        };
        filter.is_legal().then_some(filter)
    }
}

/// FloatBorderColor or UintBorderColor of D3D12_SAMPLER_DESC2: red, green, blue, alpha.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BorderColor {
    /// Of formats that are read as floats.
    Float(#[serde(with = "crate::text::floats")] [f32; 4]),
    /// Of integer formats: D3D12_SAMPLER_FLAG_UINT_BORDER_COLOR.
    Uint([u32; 4]),
}

/// D3D12_SAMPLER_DESC2, of which D3D12_SAMPLER_DESC is the part with a float border.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplerDesc {
    /// How texels are taken.
    pub filter: Filter,
    /// Beyond 0 to 1, along u.
    pub address_u: TextureAddressMode,
    /// Along v.
    pub address_v: TextureAddressMode,
    /// Along w.
    pub address_w: TextureAddressMode,
    /// Added to the level of detail, -16 to 15.99.
    #[serde(with = "crate::text::float")]
    pub mip_lod_bias: f32,
    /// 0 to 16; only of anisotropic filters.
    pub max_anisotropy: u32,
    /// Only of comparison filters.
    pub comparison_func: ComparisonFunc,
    /// Only of address mode BORDER.
    pub border_color: BorderColor,
    /// The least level of detail.
    #[serde(with = "crate::text::float")]
    pub min_lod: f32,
    /// The greatest; not below `min_lod`.
    #[serde(with = "crate::text::float")]
    pub max_lod: f32,
}

impl SamplerDesc {
    /// A sampler with that filter: CLAMP on each axis, every mip, anisotropy 16 and comparison LESS_EQUAL where
    /// the filter has them.
    #[must_use]
    pub const fn new(filter: Filter) -> SamplerDesc {
        let is_comparison = matches!(filter.reduction, FilterReduction::Comparison);
        SamplerDesc {
            filter,
            address_u: TextureAddressMode::Clamp,
            address_v: TextureAddressMode::Clamp,
            address_w: TextureAddressMode::Clamp,
            mip_lod_bias: 0.0,
            max_anisotropy: if filter.anisotropic { 16 } else { 1 },
            comparison_func: if is_comparison { ComparisonFunc::LessEqual } else { ComparisonFunc::None },
            border_color: BorderColor::Float([0.0; 4]),
            min_lod: 0.0,
            max_lod: f32::MAX,
        }
    }

    /// That a device under `sdk` makes a sampler of it.
    ///
    /// # Errors
    /// A rule of `sampler.*`. What is no number is refused in every field but the border colour.
    pub fn check(&self, sdk: SdkVersion) -> Result<(), Box<Violation>> {
        let filter = self.filter;
        if !filter.is_legal() {
            return Err(rules::SAMPLER_FILTER.violated(
                "Filter",
                format_args!("{:#x}, anisotropic with a point axis", filter.to_d3d12()),
                "D3D12_FILTER's, of which anisotropic ones are linear on every axis",
            ));
        }
        if filter.anisotropic && self.max_anisotropy > 16 {
            return Err(rules::SAMPLER_ANISOTROPY.violated("MaxAnisotropy", self.max_anisotropy, "0 to 16"));
        }
        if !(-16.0..=15.99).contains(&self.mip_lod_bias) {
            return Err(rules::SAMPLER_LOD_BIAS.violated("MipLODBias", self.mip_lod_bias, "-16 to 15.99"));
        }
        // False where either is no number.
        let is_ordered = self.min_lod <= self.max_lod;
        if !is_ordered {
            return Err(rules::SAMPLER_LOD.violated(
                "MaxLOD",
                self.max_lod,
                format_args!("at least MinLOD, which is {}", self.min_lod),
            ));
        }
        if filter.reduction == FilterReduction::Comparison && self.comparison_func == ComparisonFunc::None {
            return Err(rules::SAMPLER_COMPARISON.violated(
                "ComparisonFunc",
                self.comparison_func,
                "NEVER to ALWAYS",
            ));
        }
        if matches!(self.border_color, BorderColor::Uint(_)) && rules::SAMPLER_BORDER.holds_in(sdk) {
            return Err(rules::SAMPLER_BORDER.violated(
                "Flags",
                format_args!("UINT_BORDER_COLOR under SDK {sdk}"),
                "float border colours, integer ones from SDK 606",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 36 of d3d12.h, typed from it.
    #[test]
    fn filters_have_d3d12s_numbers() {
        let basic = [0x0, 0x1, 0x4, 0x5, 0x10, 0x11, 0x14, 0x15, 0x55];
        let mut legal: Vec<u32> = [0x0, 0x80, 0x100, 0x180]
            .iter()
            .flat_map(|reduction| basic.map(|bits| bits | reduction))
            .collect();
        legal.sort_unstable();
        let parsed: Vec<u32> = (0..0x400).filter(|number| Filter::from_d3d12(*number).is_some()).collect();
        assert_eq!(parsed, legal);
        for number in legal {
            assert_eq!(Filter::from_d3d12(number).map(Filter::to_d3d12), Some(number));
        }
        assert_eq!(Filter::ANISOTROPIC.with_reduction(FilterReduction::Comparison).to_d3d12(), 0xd5);
        assert_eq!(Filter::MIN_MAG_MIP_LINEAR.to_d3d12(), 0x15);
        assert_eq!(Filter { min_linear: true, ..Filter::MIN_MAG_MIP_POINT }.to_d3d12(), 0x10);
        assert_eq!(Filter::from_d3d12(0x8000_0000), None, "the 1-bit filter is gone");
    }
}
