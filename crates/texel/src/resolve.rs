//! What a resolve makes of a texel's samples.

use heapstone_spec::Format;
use heapstone_spec::commands::ResolveMode;

use crate::components::{Components, components};
use crate::convert::{decode_components, encode_components};
use crate::number::nearest;
use crate::{Texel, decode_int, encode_int};

/// The texel that ResolveSubresource (which averages) and ResolveSubresourceRegion make of `samples`, the
/// bytes of each sample.
///
/// AVERAGE sums in 64 bits and rounds once before it encodes; sRGB is averaged as light, that is linear.
/// MIN and MAX go component by component, and of a number and NaN take the number (D3D11.3's `min` and `max`).
/// A depth plane is resolved by its depth-stencil format, a stencil plane as R8_UINT.
///
/// `None` where the format has no texels, where it is of integers and the mode AVERAGE (Microsoft's public
/// documentation of D3D12_RESOLVE_MODE), for DECOMPRESS (which keeps the samples: a copy), and where there is
/// no sample or one has fewer bytes than a texel.
#[must_use]
pub fn resolve<'a>(
    format: Format,
    mode: ResolveMode,
    samples: impl IntoIterator<Item = &'a [u8]>,
) -> Option<Texel> {
    let components = components(format)?;
    let mut samples = samples.into_iter();
    match (mode, components.is_integer()) {
        (ResolveMode::Decompress, _) | (ResolveMode::Average, true) => None,
        (ResolveMode::Min, true) => fold_integers(format, &mut samples, i64::min),
        (ResolveMode::Max, true) => fold_integers(format, &mut samples, i64::max),
        (ResolveMode::Min, false) => fold(components, &mut samples, least),
        (ResolveMode::Max, false) => fold(components, &mut samples, greatest),
        (ResolveMode::Average, false) => average(components, &mut samples),
    }
}

/// The components of all samples joined by `join`, integers.
fn fold_integers<'a>(
    format: Format,
    samples: &mut impl Iterator<Item = &'a [u8]>,
    join: fn(i64, i64) -> i64,
) -> Option<Texel> {
    let mut joined = decode_int(format, samples.next()?)?;
    for sample in samples {
        joined = zip(joined, decode_int(format, sample)?, join);
    }
    encode_int(format, joined)
}

/// The components of all samples joined by `join`.
fn fold<'a>(
    components: &Components,
    samples: &mut impl Iterator<Item = &'a [u8]>,
    join: fn(f32, f32) -> f32,
) -> Option<Texel> {
    let mut joined = decode_components(components, samples.next()?)?;
    for sample in samples {
        joined = zip(joined, decode_components(components, sample)?, join);
    }
    Some(encode_components(components, joined))
}

/// The mean of all samples.
fn average<'a>(components: &Components, samples: &mut impl Iterator<Item = &'a [u8]>) -> Option<Texel> {
    let mut sum = decode_components(components, samples.next()?)?.map(f64::from);
    let mut count = 1.0;
    for sample in samples {
        sum = zip(sum, decode_components(components, sample)?.map(f64::from), |a, b| a + b);
        count += 1.0;
    }
    Some(encode_components(components, sum.map(|sum| nearest(sum / count))))
}

/// Channel by channel.
fn zip<T: Copy>(one: [T; 4], other: [T; 4], join: fn(T, T) -> T) -> [T; 4] {
    core::array::from_fn(|channel| join(one[channel], other[channel]))
}

/// The lesser of two, the number where one is NaN. Unlike `f32::min` it says which of two zeros it takes.
fn least(one: f32, other: f32) -> f32 {
    if one < other || other.is_nan() { one } else { other }
}

/// The greater of two, the number where one is NaN.
fn greatest(one: f32, other: f32) -> f32 {
    if one > other || other.is_nan() { one } else { other }
}
