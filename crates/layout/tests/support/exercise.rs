//! What must hold of every call on every description, legal or not: the oracle of the property tests
//! and of the fuzz target.

use heapstone_layout::{
    FootprintOutputs, LayoutRules, PlacedFootprint, ProfileSizer, Purpose, ResourceAllocation, ResourceSizer,
    SubresourceTiling, allocation_info, copyable_footprints, explain, resource_allocation, resource_tiling,
    subresource_count, subresource_info, validate,
};
use heapstone_spec::{ResourceDesc, ResourceFlags, SdkVersion};
use heapstone_units::Alignment;

use super::generate::Source;

/// Calls everything on a description.
pub(crate) fn exercise(rules: &LayoutRules, desc: &ResourceDesc, source: &mut Source<'_>) {
    let purpose = source.purpose();
    let (first, count, base) = (source.index(), source.index() % 64, source.offset());

    // Functions that need no legal description answer something for any.
    let sizer = ProfileSizer { rules: *rules };
    for restriction in [8, 4096, 65_536, 1 << 63] {
        let answer = sizer.check_resource_allocation_info(desc, Alignment::constant(restriction));
        assert_eq!(answer, sizer.check_resource_allocation_info(desc, Alignment::constant(restriction)));
    }
    let _ = subresource_info(rules, desc, first);
    let _ = subresource_count(desc);

    let legal = match validate(rules, desc, purpose) {
        Ok(legal) => legal,
        Err(violation) => {
            assert!(violation.rule.holds_in(rules.sdk), "{violation}");
            assert!(!violation.given.is_empty() && !violation.allowed.is_empty());
            let _ = resource_allocation(rules, &sizer, desc, purpose);
            return;
        }
    };
    assert_eq!(validate(rules, &legal, purpose).as_ref(), Ok(&legal), "a legal description stays as it is");
    allocation(rules, &legal, purpose);
    footprints(rules, &legal, first, count, base);
    let mut grids = [SubresourceTiling::PACKED; 8];
    let _ = resource_tiling(rules, &legal, first, &mut grids);
}

fn allocation(rules: &LayoutRules, legal: &ResourceDesc, purpose: Purpose) {
    let sizer = ProfileSizer { rules: *rules };
    let Ok(allocation) = resource_allocation(rules, &sizer, legal, purpose) else {
        assert!(explain(rules, legal, purpose).is_err());
        return;
    };
    assert!(allocation.size > 0);
    assert!(allocation.driver.total_size().expect("a sized resource") <= allocation.size);
    let tight_buffer = legal.is_buffer() && legal.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT);
    if !tight_buffer {
        assert!(allocation.alignment.is_aligned(allocation.size));
    }

    // GetDesc fills the alignment in; such a description gives the same again (spec/1), to the call that
    // made it and to the queries, which know nothing of reserved buffers. Before 619.4 tight alignment takes
    // no number back.
    let back = ResourceDesc { alignment: allocation.alignment.bytes(), ..*legal };
    if let Ok(back) = validate(rules, &back, purpose) {
        let again = resource_allocation(rules, &sizer, &back, purpose).expect("the same size");
        assert_eq!((again.size, again.alignment), (allocation.size, allocation.alignment));
        assert!(!again.alignment_overridden);
    } else {
        assert!(
            legal.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) && rules.sdk < SdkVersion::V619_4,
            "GetDesc's description is accepted: {back:?}"
        );
    }
    if rules.sdk >= SdkVersion::V619_4 && !(tight_buffer && purpose == Purpose::Reserved) {
        validate(rules, &back, Purpose::Query).expect("GetDesc's description is accepted by the queries");
    }

    let explanation = explain(rules, legal, purpose).expect("what can be sized can be explained");
    // A query is answered rounded up, also of a buffer that takes less.
    let size = match purpose {
        Purpose::Query => allocation.alignment.align_up(allocation.size).expect("below 64 bits"),
        _ => allocation.size,
    };
    assert_eq!(explanation.allocation, ResourceAllocation { size, ..allocation });
    assert_eq!(
        explanation.data_size + explanation.driver_padding + explanation.metadata_size + explanation.rounding,
        size
    );
    if purpose == Purpose::Query {
        let info = allocation_info(rules, &sizer, &[*legal], None).expect("one legal description");
        assert_eq!(info.alignment, allocation.alignment.bytes());
        assert_eq!(info.size, allocation.alignment.align_up(allocation.size).expect("below 64 bits"));
    }
    let last = u32::try_from(subresource_count(legal) - 1).expect("at most 30720");
    let place = subresource_info(rules, legal, last).expect("a legal subresource");
    assert!(place.offset < allocation.size);
}

fn footprints(rules: &LayoutRules, legal: &ResourceDesc, first: u32, count: u32, base: u64) {
    let first = first % u32::try_from(subresource_count(legal)).expect("at most 30720");
    let mut layouts = [PlacedFootprint::EMPTY; 64];
    let out = FootprintOutputs { layouts: Some(&mut layouts), ..FootprintOutputs::default() };
    let Ok(total) = copyable_footprints(rules, legal, first, count, base, out) else { return };
    let mut end = 0;
    for layout in layouts.iter().take(usize::try_from(count).expect("below 64")) {
        let offset = layout.offset.wrapping_sub(base);
        assert!(offset % 512 == 0 && offset >= end, "footprints follow each other at multiples of 512");
        assert!(layout.row_pitch % 256 == 0 && layout.row_pitch > 0);
        assert!(layout.width > 0 && layout.height > 0 && layout.depth > 0);
        end = offset + 1;
    }
    assert!(total >= end);
}
