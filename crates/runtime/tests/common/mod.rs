//! Devices, descriptions and checks that the tests share.
#![allow(dead_code, reason = "each test crate uses its part")]
#![allow(unreachable_pub, reason = "a test crate has no public interface")]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

pub mod counting;

use heapstone::{
    Adapter, Backing, Device, Error, Format, HeapDesc, HeapFlags, HeapProperties, Profile, ResourceDesc,
    ResourceFlags, Rule, SdkVersion, SegmentGroup, Violation,
};
use heapstone_driver_soft::SoftDriverFactory;

pub const KIB: u64 = 1 << 10;
pub const MIB: u64 = 1 << 20;
pub const GIB: u64 = 1 << 30;

pub fn profile(name: &str) -> Profile {
    Profile::builtin(name).unwrap()
}

/// A device without bytes, under the newest SDK.
pub fn device(name: &str) -> Device {
    device_of(profile(name), SdkVersion::LATEST, Backing::Phantom)
}

/// A device without bytes.
pub fn device_under(name: &str, sdk: SdkVersion) -> Device {
    device_of(profile(name), sdk, Backing::Phantom)
}

/// A device with bytes, under the newest SDK.
pub fn host_device(name: &str) -> Device {
    device_of(profile(name), SdkVersion::LATEST, Backing::Host)
}

pub fn device_of(profile: Profile, sdk: SdkVersion, backing: Backing) -> Device {
    let factory = SoftDriverFactory::default();
    Device::builder().profile(profile).driver(&factory).backing(backing).sdk(sdk).build().unwrap()
}

pub fn adapter(profile: Profile) -> Adapter {
    Adapter::open(profile, &SoftDriverFactory::default(), Backing::Phantom).unwrap()
}

/// RGBA8, one mip, one slice.
pub fn rgba8(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::R8G8B8A8_UNORM, width, height)
}

pub fn render_target(width: u64, height: u32) -> ResourceDesc {
    rgba8(width, height).with_flags(ResourceFlags::ALLOW_RENDER_TARGET)
}

pub fn depth_stencil(width: u64, height: u32) -> ResourceDesc {
    ResourceDesc::texture_2d(Format::D32_FLOAT, width, height).with_flags(ResourceFlags::ALLOW_DEPTH_STENCIL)
}

/// A buffer with USE_TIGHT_ALIGNMENT.
pub fn tight_buffer(width: u64) -> ResourceDesc {
    ResourceDesc::buffer(width).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT)
}

pub fn heap_of(size: u64, properties: HeapProperties, flags: HeapFlags) -> HeapDesc {
    HeapDesc { size, properties, alignment: 0, flags }
}

/// The violation of a refused call, which must be of `rule` and say something.
#[track_caller]
pub fn refused<T: core::fmt::Debug>(result: Result<T, Error>, rule: &'static Rule) -> Violation {
    let error = result.expect_err(rule.id);
    let Some(violation) = error.violation() else { panic!("{}: not refused by a rule: {error}", rule.id) };
    assert_eq!(violation.rule.id, rule.id, "{error}");
    assert!(
        !violation.field.is_empty() && !violation.given.is_empty() && !violation.allowed.is_empty(),
        "{violation:?}"
    );
    let text = error.to_string();
    for part in [rule.id, violation.field, &violation.given, &violation.allowed] {
        assert!(text.contains(part), "`{text}` leaves out `{part}`");
    }
    violation.clone()
}

/// Whether field, what was given and what is allowed say so: `field` ends as D3D12's name of it does, the
/// others contain the numbers.
#[track_caller]
pub fn says(violation: &Violation, field: &str, given: &[&str], allowed: &[&str]) {
    assert!(violation.field.ends_with(field), "{violation}: the field is {field}");
    for number in given {
        assert!(violation.given.contains(number), "{violation}: {number} was given");
    }
    for number in allowed {
        assert!(violation.allowed.contains(number), "{violation}: {number} is allowed");
    }
}

/// The process's usage of every node and group.
pub fn usage(device: &Device) -> Vec<u64> {
    let nodes = 0..device.profile().memory.node_count;
    let groups = [SegmentGroup::Local, SegmentGroup::NonLocal];
    nodes
        .flat_map(|node| groups.map(|group| (node, group)))
        .map(|(node, group)| device.query_video_memory_info(node, group).unwrap().current_usage)
        .collect()
}

/// Usage, addresses taken, and bytes taken of each segment.
pub fn footprint(device: &Device) -> (Vec<u64>, u64, Vec<u64>) {
    let segments = device.adapter().segments().map(|(_, statistics)| statistics.used).collect();
    (usage(device), device.gpu_virtual_address_statistics().used, segments)
}

/// That nothing is taken of any memory or address.
#[track_caller]
pub fn assert_empty(device: &Device) {
    let (usage, addresses, segments) = footprint(device);
    assert!(usage.iter().all(|bytes| *bytes == 0), "usage {usage:?}");
    assert_eq!(addresses, 0, "addresses");
    assert!(segments.iter().all(|bytes| *bytes == 0), "segments {segments:?}");
}
