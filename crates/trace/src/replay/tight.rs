//! The device for the comparison with tight alignment, and which descriptions get the flag.

use heapstone::{Backing, Device, DriverFactory, Error};
use heapstone_spec::caps::TightAlignmentTier;
use heapstone_spec::{Profile, ResourceDesc, ResourceFlags, SdkVersion};

/// A device on which descriptions can be tight.
#[derive(Clone, Debug)]
pub struct TightDevice {
    /// The device, on an adapter of its own.
    pub device: Device,
    /// Whether the SDK had to be a newer one than asked for.
    pub sdk_raised: bool,
    /// Whether the profile lacks tight alignment, and it was switched on.
    pub tier_switched_on: bool,
}

/// The device that the same workload is run on with tight alignment: the same profile and SDK where they
/// know it, else with it switched on and under the latest SDK (spec/1-tight-placed-resource-alignment.txt:
/// since 1.618.1).
///
/// # Errors
/// As [`heapstone::DeviceBuilder::build`].
pub fn tight_device(
    profile: &Profile,
    sdk: SdkVersion,
    driver: &dyn DriverFactory,
    backing: Backing,
) -> Result<TightDevice, Error> {
    let mut profile = profile.clone();
    let tier_switched_on = profile.caps.tight_alignment_tier == TightAlignmentTier::NotSupported;
    if tier_switched_on {
        profile.caps.tight_alignment_tier = TightAlignmentTier::Tier1;
    }
    let sdk_raised = sdk < SdkVersion::V618;
    let sdk = if sdk_raised { SdkVersion::LATEST } else { sdk };
    let device = Device::builder().profile(profile).driver(driver).backing(backing).sdk(sdk).build()?;
    Ok(TightDevice { device, sdk_raised, tier_switched_on })
}

/// The description with USE_TIGHT_ALIGNMENT, or `None` where it has the flag or may not have it: 64 KiB
/// swizzles and what other adapters read must stay at 64 KiB (spec/1-tight-placed-resource-alignment.txt,
/// Validation). An explicit Alignment is dropped: it says what today's rules demand, and beside the flag it
/// would be refused or keep the resource as it was.
pub(crate) fn tightened(desc: &ResourceDesc) -> Option<ResourceDesc> {
    let fixed = ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER;
    if desc.layout.is_64kb() || desc.flags.intersects(fixed) {
        return None;
    }
    Some(ResourceDesc { flags: desc.flags | ResourceFlags::USE_TIGHT_ALIGNMENT, alignment: 0, ..*desc })
}

#[cfg(test)]
mod tests {
    use heapstone_spec::{Format, TextureLayout};

    use super::*;

    #[test]
    fn what_may_be_tight_becomes_tight() {
        let buffer = ResourceDesc::buffer(100).with_alignment(65_536);
        let tight = tightened(&buffer).unwrap();
        assert_eq!(tight, ResourceDesc::buffer(100).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT));
        assert_eq!(tightened(&tight), None);
        let texture = ResourceDesc::texture_2d(Format::R8_UNORM, 4, 4);
        assert!(tightened(&texture).is_some());
        assert_eq!(tightened(&texture.with_layout(TextureLayout::Standard64KbSwizzle)), None);
        assert_eq!(tightened(&texture.with_layout(TextureLayout::Undefined64KbSwizzle)), None);
        assert_eq!(tightened(&buffer.with_flags(ResourceFlags::ALLOW_CROSS_ADAPTER)), None);
    }
}
