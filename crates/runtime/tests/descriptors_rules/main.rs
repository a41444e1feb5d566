//! Every rule of descriptor heaps, descriptors and views is broken here by some call, which is refused with what
//! was given and what is allowed, and with the message of the debug layer; the descriptor keeps what it held.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod bench;
mod buffers;
#[path = "../common/mod.rs"]
mod common;
mod heaps;
mod views;

use heapstone::spec::rules::view as rules;
use heapstone::{DescriptorRanges, Format};

use bench::*;

#[test]
fn every_rule() {
    let mut broken = Broken::default();
    heaps::heaps(&mut broken);
    heaps::handles(&mut broken);
    heaps::copies(&mut broken);
    heaps::samplers(&mut broken);
    views::resources(&mut broken);
    views::formats(&mut broken);
    views::ranges(&mut broken);
    buffers::buffers(&mut broken);
    buffers::counters(&mut broken);
    buffers::constants(&mut broken);
    let missing: Vec<&str> =
        rules::ALL.iter().map(|rule| rule.id).filter(|id| !broken.0.contains(id)).collect();
    assert!(missing.is_empty(), "no call breaks {missing:?}");
}

#[test]
fn after_a_refusal_a_descriptor_holds_what_it_held() {
    let bench = Bench::new();
    let texture = bench.texture(Format::R8G8B8A8_UNORM);
    bench.srv(Some(&texture), Format::R8G8B8A8_UINT, tex2d(0, Some(1))).unwrap();
    let held = bench.device.shader_resource_view(bench.views.cpu_start()).unwrap();
    bench.srv(Some(&texture), Format::R32_UINT, tex2d(0, Some(1))).unwrap_err();
    bench.uav(Some(&texture), Format::R8G8B8A8_UINT, UAV_2D).unwrap_err();
    bench.cbv(1, 256).unwrap_err();
    // The sizes differ in the last range only: nothing of the first is copied.
    let increment = bench.device.descriptor_handle_increment_size(VIEWS);
    let at = |index| bench.views.cpu_start().offset(index, increment);
    let source = DescriptorRanges { starts: &[at(8), at(63)], sizes: Some(&[1, 2]) };
    let destination = DescriptorRanges { starts: &[at(0)], sizes: Some(&[3]) };
    bench.device.copy_descriptors(destination, source, VIEWS).unwrap_err();
    assert_eq!(bench.device.shader_resource_view(at(0)).unwrap(), held);
}
