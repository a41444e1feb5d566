//! Watching a device: each call with its outcome, in order, with the objects' numbers.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use std::sync::{Arc, Mutex};

use common::*;
use heapstone::spec::commands::{CommandListType, FenceFlags, QueryHeapDesc, QueryHeapType};
use heapstone::spec::views::{DescriptorHeapDesc, DescriptorHeapType};
use heapstone::{
    Backing, ByteRange, Call, CommandQueueDesc, CommittedResourceDesc, Device, HeapDesc, HeapFlags, HeapType,
    InitialState, MakeResidentFlags, MapPointer, Notice, NoticeSubject, ObjectId, Observer, Pageable,
    PlacedResourceDesc, Profile, ReservedResourceDesc, ResidencyPriority, ResourceDesc, ResourceFlags,
    ResourceStates, SegmentGroup, Severity, TextureLayout,
};
use heapstone_driver_soft::SoftDriverFactory;

#[derive(Default)]
struct Log {
    lines: Mutex<Vec<String>>,
}

impl Log {
    fn take(&self) -> Vec<String> {
        core::mem::take(&mut self.lines.lock().unwrap())
    }
}

impl Observer for Log {
    fn observe(&self, call: &Call<'_>) {
        let end = |outcome: &heapstone::Outcome<'_>| match outcome {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.violation().map_or("failed", |violation| violation.rule.id).to_owned(),
        };
        let line = match call {
            Call::CreateHeap { object, desc, outcome } => {
                format!("heap {object} {} {}: {}", desc.size, desc.alignment, end(outcome))
            }
            Call::CreateCommittedResource { object, desc, outcome } => {
                format!("committed {object} {}: {}", desc.resource.width, end(outcome))
            }
            Call::CreatePlacedResource { object, heap, offset, desc, outcome } => {
                format!("placed {object} in {heap} at {offset} {}: {}", desc.resource.width, end(outcome))
            }
            Call::CreateReservedResource { object, desc, outcome } => {
                format!("reserved {object} {}: {}", desc.resource.width, end(outcome))
            }
            Call::Map { object, subresource, read_range, pointer, outcome } => {
                format!("map {object} {subresource} {read_range:?} {pointer:?}: {}", end(outcome))
            }
            Call::Unmap { object, subresource, written_range, outcome } => {
                format!("unmap {object} {subresource} {written_range:?}: {}", end(outcome))
            }
            Call::MakeResident { objects, outcome } => format!("resident {}: {}", ids(objects), end(outcome)),
            Call::Evict { objects, outcome } => format!("evict {}: {}", ids(objects), end(outcome)),
            Call::EnqueueMakeResident { flags, objects, fence, value, outcome } => {
                let denies = flags.contains(MakeResidentFlags::DENY_OVERBUDGET);
                format!("enqueue {denies} {} {fence} {value}: {}", ids(objects), end(outcome))
            }
            Call::SetResidencyPriority { objects, outcome } => {
                let pairs = objects.iter().map(|(object, priority)| (object.id().0, priority.to_d3d12()));
                format!("priority {:x?}: {}", pairs.collect::<Vec<_>>(), end(outcome))
            }
            Call::SetBudget { node, group, budget, outcome } => {
                format!("budget {node} {group} {budget:?}: {}", end(outcome))
            }
            Call::SetVideoMemoryReservation { node, group, reservation, outcome } => {
                format!("reservation {node} {group} {reservation}: {}", end(outcome))
            }
            Call::SetName { object, name } => format!("name {object} {name}"),
            Call::SetTag { object, tag } => format!("tag {object} {tag}"),
            Call::Destroy { object } => format!("destroy {object}"),
            _ => "another call".to_owned(),
        };
        self.lines.lock().unwrap().push(line);
    }
}

fn ids(objects: &[Pageable<'_>]) -> String {
    objects.iter().map(|object| object.id().to_string()).collect::<Vec<_>>().join(" ")
}

fn watched() -> (Device, Arc<Log>) {
    let log = Arc::new(Log::default());
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .observer(Arc::<Log>::clone(&log))
        .build()
        .unwrap();
    (device, log)
}

#[test]
fn every_call_is_told_with_its_outcome() {
    let (device, log) = watched();
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Upload)).unwrap();
    device.create_heap(&HeapDesc::new(MIB, HeapType::Upload).with_alignment(8)).unwrap_err();
    device.create_heap(&HeapDesc::new(1 << 60, HeapType::Default)).unwrap_err();
    let placed = device
        .create_placed_resource(&heap, 65_536, &PlacedResourceDesc::new(ResourceDesc::buffer(10)))
        .unwrap();
    device.create_placed_resource(&heap, 1, &PlacedResourceDesc::new(ResourceDesc::buffer(11))).unwrap_err();
    let committed = device
        .create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(12)))
        .unwrap();
    let texture = rgba8(512, 512);
    device.create_reserved_resource(&ReservedResourceDesc::new(texture)).unwrap_err();
    let reserved = device
        .create_reserved_resource(&ReservedResourceDesc::new(
            texture.with_layout(TextureLayout::Undefined64KbSwizzle),
        ))
        .unwrap();
    assert_eq!(
        log.take(),
        [
            "heap #1 1048576 0: ok",
            "heap #2 1048576 8: heap.alignment",
            "heap #3 1152921504606846976 0: failed",
            "placed #4 in #1 at 65536 10: ok",
            "placed #5 in #1 at 1 11: placement.offset.alignment",
            "committed #6 12: ok",
            "reserved #7 512: resource.reserved.layout",
            "reserved #8 512: ok",
        ]
    );
    assert_eq!(
        [heap.id(), placed.id(), committed.id(), reserved.id()].map(|ObjectId(number)| number),
        [1, 4, 6, 8]
    );

    placed.map(0, Some(ByteRange::new(0, 4)), MapPointer::Wanted).unwrap();
    placed.unmap(0, None).unwrap();
    placed.unmap(0, Some(ByteRange::new(0, 4))).unwrap_err();
    committed.map(0, None, MapPointer::Null).unwrap_err();
    assert_eq!(
        log.take(),
        [
            "map #4 0 Some(ByteRange { begin: 0, end: 4 }) Wanted: ok",
            "unmap #4 0 None: ok",
            "unmap #4 0 Some(ByteRange { begin: 0, end: 4 }): unmap.not_mapped",
            "map #6 0 None Null: map.heap",
        ]
    );

    drop(heap);
    assert_eq!(log.take(), [""; 0], "the placed resource keeps it");
    drop(placed);
    drop((reserved, committed));
    assert_eq!(log.take(), ["destroy #4", "destroy #1", "destroy #8", "destroy #6"]);
    assert_empty(&device);
}

#[test]
fn residency_and_budgets_are_told() {
    let (device, log) = watched();
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let buffer = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(12));
    let buffer = device.create_committed_resource(&buffer).unwrap();
    let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
    log.take();
    let both = [Pageable::from(&heap), Pageable::from(&buffer)];
    device.make_resident(&both).unwrap();
    device.evict(&both).unwrap();
    device.evict(&both).unwrap();
    device.evict(&both[1..]).unwrap_err();
    device.enqueue_make_resident(MakeResidentFlags::DENY_OVERBUDGET, &both[..1], &fence, 7).unwrap();
    device.set_residency_priority(&[(both[1], ResidencyPriority::LOW)]).unwrap();
    device.set_budget(0, SegmentGroup::Local, Some(5)).unwrap();
    device.set_budget(0, SegmentGroup::Local, None).unwrap();
    device.set_budget(9, SegmentGroup::Local, None).unwrap_err();
    device.set_video_memory_reservation(0, SegmentGroup::NonLocal, 65_536).unwrap();
    // 0x50000000 is D3D12_RESIDENCY_PRIORITY_LOW (facts/residency.md, Priorities).
    assert_eq!(
        log.take(),
        [
            "resident #1 #2: ok",
            "evict #1 #2: ok",
            "evict #1 #2: ok",
            "evict #2: residency.evict",
            "enqueue true #1 #3 7: ok",
            "priority [(2, 50000000)]: ok",
            "budget 0 LOCAL Some(5): ok",
            "budget 0 LOCAL None: ok",
            "budget 9 LOCAL None: query.node",
            "reservation 0 NON_LOCAL 65536: ok",
        ]
    );
}

#[test]
fn names_and_tags_are_told_and_kept() {
    let (device, log) = watched();
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(10));
    let buffer = device.create_placed_resource(&heap, 0, &placed).unwrap();
    assert_eq!((heap.name(), heap.tag(), buffer.name(), buffer.tag()), Default::default());
    log.take();
    heap.set_name("pool");
    heap.set_tag("streaming/mips");
    buffer.set_name("vertices");
    buffer.set_tag("terrain");
    buffer.set_name("indices");
    assert_eq!(
        log.take(),
        ["name #1 pool", "tag #1 streaming/mips", "name #2 vertices", "tag #2 terrain", "name #2 indices"]
    );
    assert_eq!((heap.name().as_str(), heap.tag().as_str()), ("pool", "streaming/mips"));
    let clone = buffer.clone();
    assert_eq!((clone.name().as_str(), clone.tag().as_str()), ("indices", "terrain"));
}

/// SetName and GetDevice are ID3D12Object's and ID3D12DeviceChild's: every object has them.
#[test]
fn every_object_has_a_number_a_name_and_a_tag() {
    let (device, log) = watched();
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(10));
    let buffer = device.create_placed_resource(&heap, 0, &placed).unwrap();
    let fence = device.create_fence(0, FenceFlags::empty()).unwrap();
    let descriptors = DescriptorHeapDesc::new(DescriptorHeapType::Rtv, 4);
    let descriptors = device.create_descriptor_heap(&descriptors).unwrap();
    let queries = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 4, node_mask: 0 };
    let queries = device.create_query_heap(&queries).unwrap();
    let queue = device.create_command_queue(&CommandQueueDesc::new(CommandListType::Direct)).unwrap();
    let allocator = device.create_command_allocator(CommandListType::Direct).unwrap();
    let list = device.create_command_list(CommandListType::Direct, &allocator).unwrap();
    macro_rules! check {
        ($($object:ident: $number:literal),*) => {$(
            log.take();
            assert_eq!((&$object.name()[..], &$object.tag()[..]), ("", ""), stringify!($object));
            $object.set_name("its name");
            $object.set_tag("its/tag");
            let told = [concat!("name #", $number, " its name"), concat!("tag #", $number, " its/tag")];
            assert_eq!(log.take(), told, stringify!($object));
            assert_eq!((&$object.name()[..], &$object.tag()[..]), ("its name", "its/tag"));
            assert!($object.id() == ObjectId($number) && $object.device() == device);
        )*};
    }
    check!(heap: 1, buffer: 2, fence: 3, descriptors: 4, queries: 5, queue: 6, allocator: 7, list: 8);
    macro_rules! check_equal {
        ($($object:ident: $other:expr),*) => {$(
            assert!($object == $object.clone() && $object != $other, stringify!($object));
        )*};
    }
    check_equal!(
        fence: device.create_fence(0, FenceFlags::empty()).unwrap(),
        descriptors: device.create_descriptor_heap(&descriptors.desc()).unwrap(),
        queries: device.create_query_heap(&queries.desc()).unwrap(),
        allocator: device.create_command_allocator(CommandListType::Direct).unwrap()
    );
}

#[test]
fn numbers_are_never_used_again() {
    let (device, _log) = watched();
    for number in 1..=100 {
        let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
        assert_eq!(heap.id(), ObjectId(number));
    }
}

#[test]
fn an_unobserved_device_gives_no_numbers() {
    let device = device("discrete-8g");
    let heap = device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let placed = PlacedResourceDesc::new(ResourceDesc::buffer(10));
    let buffer = device.create_placed_resource(&heap, 0, &placed).unwrap();
    assert_eq!((heap.id(), buffer.id()), (ObjectId(0), ObjectId(0)));
}

/// Keeps what the debug layer says.
#[derive(Default)]
struct Listener(Mutex<Vec<Notice>>);

impl Observer for Listener {
    fn observe(&self, _: &Call<'_>) {}
    fn notice(&self, notice: &Notice) {
        self.0.lock().unwrap().push(notice.clone());
    }
}

#[test]
fn the_debug_layer_tells_what_it_changed() {
    let listener = Arc::new(Listener::default());
    let device = Device::builder()
        .profile(Profile::builtin("discrete-8g").unwrap())
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .observer(Arc::clone(&listener) as Arc<dyn Observer>)
        .build()
        .unwrap();
    let said = || core::mem::take(&mut *listener.0.lock().unwrap());

    // spec/1, Non-zero Alignment as a target floor: 8 is clamped up to what the driver needs.
    let heap = device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap();
    let tight = ResourceDesc::buffer(100).with_flags(ResourceFlags::USE_TIGHT_ALIGNMENT);
    device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(tight.with_alignment(8))).unwrap();
    let notices = said();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(
        (notices[0].severity, notices[0].subject),
        (Severity::Info, NoticeSubject::AlignmentOverridden)
    );
    assert!(notices[0].text.contains("8 was raised to 256"), "{}", notices[0].text);

    // A floor that is honoured, and a description without the flag, are not worth a word.
    device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(tight.with_alignment(256))).unwrap();
    device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(ResourceDesc::buffer(100))).unwrap();
    assert_eq!(said(), []);

    // spec/1, Validation: beside ALLOW_CROSS_ADAPTER the flag is a warning.
    let shared = HeapFlags::SHARED | HeapFlags::SHARED_CROSS_ADAPTER;
    let heap = device.create_heap(&HeapDesc::new(65_536, HeapType::Default).with_flags(shared)).unwrap();
    let both = ResourceFlags::USE_TIGHT_ALIGNMENT | ResourceFlags::ALLOW_CROSS_ADAPTER;
    device.create_placed_resource(&heap, 0, &PlacedResourceDesc::new(tight.with_flags(both))).unwrap();
    let notices = said();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].severity, Severity::Warning);
    assert!(notices[0].text.contains("65536"), "{}", notices[0].text);

    // A buffer's initial state other than COMMON is ignored.
    let mut copied = CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(100));
    copied.initial = InitialState::State(ResourceStates::COPY_DEST);
    device.create_committed_resource(&copied).unwrap();
    let notices = said();
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert_eq!(notices[0].subject.message().map(|message| message.number), Some(1328));
    assert!(notices[0].text.contains("COPY_DEST"), "{}", notices[0].text);
}
