//! When two samplers are the same.

use core::hash::{Hash, Hasher};

use heapstone_spec::views::{
    BorderColor, ComparisonFunc, Filter, FilterReduction, SamplerDesc, TextureAddressMode,
};

/// The only bits that "not a number" has here.
const NAN: u32 = 0x7fc0_0000;

/// Bits of [`NormalizedSampler::state`], from the lowest: D3D12_FILTER, each D3D12_TEXTURE_ADDRESS_MODE,
/// MaxAnisotropy, D3D12_COMPARISON_FUNC, whether the border is one of integers.
const ADDRESS_SHIFT: u32 = 10;
const ADDRESS_BITS: u32 = 3;
const ANISOTROPY_SHIFT: u32 = 19;
const COMPARISON_SHIFT: u32 = 24;
const UINT_BORDER_SHIFT: u32 = 28;

/// A sampler without what its own fields make meaningless: two descriptions that sample alike have one.
///
/// - MaxAnisotropy counts with an anisotropic filter only, ComparisonFunc with a comparison filter, the border
///   with address mode BORDER on some axis (Microsoft's documentation of D3D12_SAMPLER_DESC). Elsewhere they
///   are 1, NONE and 0.
/// - -0.0 is 0.0: every use of these fields adds or compares them.
/// - What is no number is refused in the levels of detail ([`SamplerDesc::check`]). In a border colour it is
///   one value, whatever its bits (chosen, because no shader can rely on the bits that a filter leaves of it).
/// - Nothing else is: an anisotropic filter with MaxAnisotropy 1 is not a linear one, nor is a least level below
///   0 the level 0 (chosen, because adapters may differ there).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NormalizedSampler {
    state: u32,
    mip_lod_bias: u32,
    min_lod: u32,
    max_lod: u32,
    border: [u32; 4],
}

impl NormalizedSampler {
    /// Of a description that [`SamplerDesc::check`] accepts; of others it is as good as they are.
    #[inline]
    #[must_use]
    pub fn of(desc: &SamplerDesc) -> NormalizedSampler {
        let filter = desc.filter;
        let anisotropy = if filter.anisotropic { desc.max_anisotropy } else { 1 };
        let is_comparison = filter.reduction == FilterReduction::Comparison;
        let comparison = if is_comparison { desc.comparison_func } else { ComparisonFunc::None };
        let axes = [desc.address_u, desc.address_v, desc.address_w];
        let (is_uint, border) = if axes.contains(&TextureAddressMode::Border) {
            match desc.border_color {
                BorderColor::Float(color) => (false, color.map(float_bits)),
                BorderColor::Uint(color) => (true, color),
            }
        } else {
            (false, [0; 4])
        };
        let mut state = filter.to_d3d12()
            | (anisotropy & 0x1f) << ANISOTROPY_SHIFT
            | comparison.to_d3d12() << COMPARISON_SHIFT
            | u32::from(is_uint) << UINT_BORDER_SHIFT;
        for (axis, mode) in (0..).zip(axes) {
            state |= mode.to_d3d12() << (ADDRESS_SHIFT + ADDRESS_BITS * axis);
        }
        NormalizedSampler {
            state,
            mip_lod_bias: float_bits(desc.mip_lod_bias),
            min_lod: float_bits(desc.min_lod),
            max_lod: float_bits(desc.max_lod),
            border,
        }
    }

    /// A description that samples so.
    #[must_use]
    pub fn desc(&self) -> SamplerDesc {
        const MADE: &str = "invariant: the state was made of a description";
        let bits = |shift: u32, count: u32| self.state >> shift & ((1 << count) - 1);
        let address = |axis| {
            TextureAddressMode::from_d3d12(bits(ADDRESS_SHIFT + ADDRESS_BITS * axis, ADDRESS_BITS))
                .expect(MADE)
        };
        let border_color = if bits(UINT_BORDER_SHIFT, 1) == 1 {
            BorderColor::Uint(self.border)
        } else {
            BorderColor::Float(self.border.map(f32::from_bits))
        };
        SamplerDesc {
            filter: Filter::from_d3d12(bits(0, ADDRESS_SHIFT)).expect(MADE),
            address_u: address(0),
            address_v: address(1),
            address_w: address(2),
            mip_lod_bias: f32::from_bits(self.mip_lod_bias),
            max_anisotropy: bits(ANISOTROPY_SHIFT, COMPARISON_SHIFT - ANISOTROPY_SHIFT),
            comparison_func: ComparisonFunc::from_d3d12(bits(
                COMPARISON_SHIFT,
                UINT_BORDER_SHIFT - COMPARISON_SHIFT,
            ))
            .expect(MADE),
            border_color,
            min_lod: f32::from_bits(self.min_lod),
            max_lod: f32::from_bits(self.max_lod),
        }
    }
}

/// One word for the hasher, in which every bit of the fields has reached the lowest ones, by which a table
/// chooses: samplers of a program differ in a few bits of a float, of which a hasher that multiplies and adds
/// leaves its low bits equal.
impl Hash for NormalizedSampler {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // Digits of pi, as Blowfish has them: numbers without a pattern.
        const MIX: [u64; 4] =
            [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344, 0xa409_3822_299f_31d0, 0x082e_fa98_ec4e_6c89];
        let pair = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        let [red, green, blue, alpha] = self.border;
        let fields =
            folded(pair(self.state, self.mip_lod_bias) ^ MIX[0], pair(self.min_lod, self.max_lod) ^ MIX[1]);
        let border = folded(pair(red, green) ^ MIX[2], pair(blue, alpha) ^ MIX[3]);
        hasher.write_u64(folded(fields ^ MIX[1], border ^ MIX[2]));
    }
}

/// The halves of the product, one on the other.
#[inline]
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    let half =
        |number: u128| u64::try_from(number & u128::from(u64::MAX)).expect("invariant: masked to 64 bits");
    half(product) ^ half(product >> 64)
}

#[inline]
fn float_bits(number: f32) -> u32 {
    if number.is_nan() {
        NAN
    } else if number == 0.0 {
        0
    } else {
        number.to_bits()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEAR: SamplerDesc = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR);

    #[track_caller]
    fn same(a: SamplerDesc, b: SamplerDesc, wanted: bool) {
        assert_eq!(NormalizedSampler::of(&a) == NormalizedSampler::of(&b), wanted, "{a:?} {b:?}");
    }

    #[test]
    fn ignored_fields_make_no_difference() {
        same(LINEAR, SamplerDesc { max_anisotropy: 16, ..LINEAR }, true);
        same(LINEAR, SamplerDesc { max_anisotropy: 0, ..LINEAR }, true);
        same(LINEAR, SamplerDesc { comparison_func: ComparisonFunc::Less, ..LINEAR }, true);
        same(LINEAR, SamplerDesc { border_color: BorderColor::Uint([1, 2, 3, 4]), ..LINEAR }, true);
        same(LINEAR, SamplerDesc { border_color: BorderColor::Float([f32::NAN; 4]), ..LINEAR }, true);
    }

    #[test]
    fn fields_that_count_make_one() {
        let anisotropic = SamplerDesc::new(Filter::ANISOTROPIC);
        same(anisotropic, SamplerDesc { max_anisotropy: 8, ..anisotropic }, false);
        same(LINEAR, SamplerDesc { max_anisotropy: 1, ..anisotropic }, false);
        let comparison = SamplerDesc::new(Filter::ANISOTROPIC.with_reduction(FilterReduction::Comparison));
        same(comparison, SamplerDesc { comparison_func: ComparisonFunc::Less, ..comparison }, false);
        same(comparison, anisotropic, false);
        same(LINEAR, SamplerDesc { min_lod: -1.0, ..LINEAR }, false);
        same(LINEAR, SamplerDesc { max_lod: 3.0, ..LINEAR }, false);
        same(LINEAR, SamplerDesc { mip_lod_bias: 0.5, ..LINEAR }, false);
        for axis in 0..3 {
            let mut bordered = LINEAR;
            *[&mut bordered.address_u, &mut bordered.address_v, &mut bordered.address_w][axis] =
                TextureAddressMode::Border;
            same(LINEAR, bordered, false);
            let with = |border_color| SamplerDesc { border_color, ..bordered };
            same(bordered, with(BorderColor::Float([0.0, 0.0, 0.0, 1.0])), false);
            // As many bits, but read otherwise.
            same(bordered, with(BorderColor::Uint([0; 4])), false);
            let mirrored = SamplerDesc { address_v: TextureAddressMode::MirrorOnce, ..bordered };
            same(bordered, mirrored, false);
        }
    }

    #[test]
    fn zeros_and_no_numbers_are_one_each() {
        let bordered = SamplerDesc { address_w: TextureAddressMode::Border, ..LINEAR };
        same(bordered, SamplerDesc { mip_lod_bias: -0.0, min_lod: -0.0, ..bordered }, true);
        let with = |color| SamplerDesc { border_color: BorderColor::Float(color), ..bordered };
        same(bordered, with([-0.0; 4]), true);
        let other_nan = f32::from_bits(0xffc0_1234);
        same(with([f32::NAN, 0.0, 0.0, 1.0]), with([other_nan, 0.0, 0.0, 1.0]), true);
        same(with([f32::NAN, 0.0, 0.0, 1.0]), with([0.0, f32::NAN, 0.0, 1.0]), false);
        // Integers are kept as they are, also those that would be -0.0 or no number.
        let uint = |color| SamplerDesc { border_color: BorderColor::Uint(color), ..bordered };
        same(uint([0x8000_0000; 4]), uint([0; 4]), false);
        same(uint([0xffc0_1234; 4]), uint([NAN; 4]), false);
    }

    /// The low bits, by which a table of 2048 chooses a place, of samplers that differ in one field's bits.
    #[test]
    fn hashes_of_neighbours_are_apart() {
        use core::hash::BuildHasher;
        let hasher = rustc_hash::FxBuildHasher;
        let desc = |number: u16| f32::from(number) / 2048.0;
        let families: [fn(f32) -> SamplerDesc; 3] = [
            |bias| SamplerDesc { mip_lod_bias: bias, ..LINEAR },
            |least| SamplerDesc { min_lod: least, ..LINEAR },
            |red| SamplerDesc {
                address_u: TextureAddressMode::Border,
                border_color: BorderColor::Float([red, 0.0, 0.0, 0.0]),
                ..LINEAR
            },
        ];
        for family in families {
            let places: std::collections::BTreeSet<u64> = (0..1024)
                .map(|number| hasher.hash_one(NormalizedSampler::of(&family(desc(number)))) & 0x7ff)
                .collect();
            // Of 1024 random numbers below 2048 about 806 differ: 2048 (1 - exp(-1/2)).
            assert!(places.len() > 700, "{} places", places.len());
        }
    }

    #[test]
    fn the_description_of_a_key_has_that_key() {
        let mut desc = SamplerDesc::new(Filter::ANISOTROPIC.with_reduction(FilterReduction::Comparison));
        desc.address_u = TextureAddressMode::Border;
        desc.address_v = TextureAddressMode::MirrorOnce;
        desc.border_color = BorderColor::Float([0.25, 1.0, -3.0, 0.5]);
        (desc.mip_lod_bias, desc.min_lod, desc.max_lod) = (-16.0, -2.5, 9.0);
        assert_eq!(NormalizedSampler::of(&desc).desc(), desc, "nothing of it is ignored");
        let plain = SamplerDesc { max_anisotropy: 9, comparison_func: ComparisonFunc::Less, ..LINEAR };
        assert_eq!(NormalizedSampler::of(&plain).desc(), LINEAR);
    }
}
