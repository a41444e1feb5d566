//! What a resolve makes of a texel's samples.

use heapstone_spec::Format;
use heapstone_spec::commands::ResolveMode;

use crate::Texel;
use crate::components::{Component, Components, Encoding, components};
use crate::convert::{code_of, number_of, texel};
use crate::normalized::{nearest_code, snorm_code};
use crate::number::{nearest, sign_extended};

/// The texel that ResolveSubresource (which averages) and ResolveSubresourceRegion make of `samples`, the
/// bytes of each sample.
///
/// AVERAGE sums in 64 bits and rounds once: normalized components to the nearest code, halves away from 0. sRGB
/// is averaged as light, that is linear. MIN and MAX go component by component, and of a number and NaN take
/// the number (D3D11.3's `min` and `max`). A depth plane is resolved by its depth-stencil format, a stencil
/// plane as R8_UINT.
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
    let samples = samples.into_iter();
    match mode {
        ResolveMode::Decompress => None,
        ResolveMode::Average if components.is_integer() => None,
        ResolveMode::Average => average(components, samples),
        ResolveMode::Min => Some(encoded(components, joined(components, samples, least)?.0)),
        ResolveMode::Max => Some(encoded(components, joined(components, samples, greatest)?.0)),
    }
}

/// The mean of all samples.
fn average<'a>(components: &Components, samples: impl Iterator<Item = &'a [u8]>) -> Option<Texel> {
    let (sum, count) = joined(components, samples, |one, other| one + other)?;
    Some(encoded(components, sum.map(|sum| sum / f64::from(count))))
}

/// The measures of all samples joined, channel by channel, and how many samples there are.
fn joined<'a>(
    components: &Components,
    mut samples: impl Iterator<Item = &'a [u8]>,
    join: impl Fn(f64, f64) -> f64,
) -> Option<([f64; 4], u32)> {
    let mut joined = measures(components, samples.next()?)?;
    let mut count = 1;
    for sample in samples {
        for (joined, measure) in joined.iter_mut().zip(measures(components, sample)?) {
            *joined = join(*joined, measure);
        }
        count += 1;
    }
    Some((joined, count))
}

/// The measures of a sample's components.
fn measures(components: &Components, sample: &[u8]) -> Option<[f64; 4]> {
    let raw = components.raw(sample)?;
    let measure = |component: Option<Component>| component.map_or(0.0, |it| measure(it, raw, components));
    Some(components.channels.map(measure))
}

/// What a component is measured in: its code where codes are on an even grid, so that nothing is lost, else its
/// number.
fn measure(component: Component, raw: u128, components: &Components) -> f64 {
    match component.encoding {
        Encoding::Unorm | Encoding::XrBias | Encoding::Uint => f64::from(component.read(raw)),
        Encoding::Snorm => f64::from(snorm_code(component.read(raw), component.bits)),
        Encoding::Sint => f64::from(sign_extended(component.read(raw), component.bits)),
        _ => f64::from(number_of(component, raw, components)),
    }
}

/// The texel of measures.
fn encoded(components: &Components, measures: [f64; 4]) -> Texel {
    let color = measures.map(nearest);
    texel(components, |component, channel| match component.encoding {
        Encoding::Unorm | Encoding::XrBias | Encoding::Uint | Encoding::Snorm | Encoding::Sint => {
            nearest_code(measures[channel])
        }
        _ => code_of(component, color, channel),
    })
}

/// The lesser of two, the number where one is NaN. Unlike `f64::min` it says which of two zeros it takes.
fn least(one: f64, other: f64) -> f64 {
    if one < other || other.is_nan() { one } else { other }
}

/// The greater of two, the number where one is NaN.
fn greatest(one: f64, other: f64) -> f64 {
    if one > other || other.is_nan() { one } else { other }
}
