//! The live objects of a device that is watched: what ID3D12DebugDevice::ReportLiveDeviceObjects lists, and what is told
//! when a process ends with devices.
//!
//! ```text
//!   LiveObjects of a watched device
//!     address of an object --> number by creation, Header
//! ```
//! An object is entered when it is created, and leaves as the first thing of its end, both under the lock under which it is
//! looked at. Devices that nobody watches keep no list: threads that create at once would share its lock.

use core::fmt::Write;
use core::ptr::NonNull;
use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;

use super::Device;
use crate::com::{Header, KeptHeap, Live, Object};
use crate::messages::{Category, Severity};
use crate::states::States;

/// D3D12_RLDO_FLAGS (D3D12's public headers).
const SUMMARY: u32 = 0x1;
const DETAIL: u32 = 0x2;
const IGNORE_INTERNAL: u32 = 0x4;
/// All of them.
pub(super) const ALL_FLAGS: u32 = SUMMARY | DETAIL | IGNORE_INTERNAL;

/// D3D12_MESSAGE_ID_LIVE_OBJECT_SUMMARY, and D3D12_MESSAGE_ID_LIVE_DEVICE (D3D12's public headers).
const LIVE_OBJECT_SUMMARY: u32 = 255;
const LIVE_DEVICE: u32 = 274;

/// D3D12_MESSAGE_ID_LIVE_... of each class (D3D12's public headers).
const KINDS: [(&str, u32); 13] = [
    ("ID3D12CommandQueue", 570),
    ("ID3D12CommandAllocator", 571),
    ("ID3D12PipelineState", 572),
    ("ID3D12GraphicsCommandList", 573),
    (RESOURCE, 575),
    ("ID3D12DescriptorHeap", 576),
    ("ID3D12RootSignature", 577),
    (HEAP, 579),
    ("ID3D12Fence", 580),
    ("ID3D12QueryHeap", 581),
    ("ID3D12CommandSignature", 582),
    ("ID3D12PipelineLibrary", 967),
    ("ID3D12ProtectedResourceSession", 1073),
];
const HEAP: &str = "ID3D12Heap";
const RESOURCE: &str = "ID3D12Resource";

/// The live objects of a watched device, and the states of resources between submissions.
#[derive(Default)]
pub(crate) struct LiveObjects {
    known: Mutex<Known>,
    pub(crate) states: Mutex<States>,
}

#[derive(Default)]
struct Known {
    created_count: u64,
    by_address: BTreeMap<usize, (u64, Pointer)>,
}

struct Pointer(NonNull<Header>);

// SAFETY: it is followed under the lock alone, which an object takes to leave before anything of it goes.
unsafe impl Send for Pointer {}

/// What there is to say of one.
struct Line {
    kind: &'static str,
    /// In the order of creation.
    number: u64,
    /// NULL of a heap that its client let go of, and that resources keep.
    address: usize,
    name: Option<String>,
    public_count: u32,
    internal_count: usize,
    size: Option<u64>,
}

impl LiveObjects {
    /// An object was created.
    pub(crate) fn enter(&self, object: &Header) {
        let mut known = self.known.lock();
        known.created_count += 1;
        let number = known.created_count;
        let _ = known
            .by_address
            .insert(core::ptr::from_ref(object).addr(), (number, Pointer(NonNull::from(object))));
    }

    /// An object goes.
    pub(crate) fn leave(&self, object: &Header) {
        let known = self.known.lock().by_address.remove(&core::ptr::from_ref(object).addr());
        if let Some((number, _)) = known {
            self.states.lock().forget(number);
        }
    }

    /// Its number, which no other object of the device has or will have.
    pub(crate) fn number(&self, object: &Header) -> Option<u64> {
        self.known.lock().by_address.get(&core::ptr::from_ref(object).addr()).map(|(number, _)| *number)
    }

    /// All of them in the order of creation, behind them heaps that resources alone keep.
    fn lines(&self) -> Vec<Line> {
        let known = self.known.lock();
        let mut lines = Vec::with_capacity(known.by_address.len());
        let mut heaps: BTreeMap<usize, KeptHeap> = BTreeMap::new();
        let mut known_heaps = BTreeSet::new();
        for (address, (number, Pointer(header))) in &known.by_address {
            // SAFETY: it has not left.
            let header = unsafe { header.as_ref() };
            let Live { size, internal_count, is_heap, in_heap } = header.live();
            known_heaps.extend(is_heap);
            if let Some(heap) = in_heap {
                let _ = heaps.insert(heap.identity, heap);
            }
            lines.push(Line {
                kind: header.class().name,
                number: *number,
                address: *address,
                name: header.debug_name(),
                public_count: header.public_count(),
                internal_count: header.own_count() + internal_count,
                size,
            });
        }
        drop(known);
        lines.sort_by_key(|line| line.number);
        heaps.retain(|identity, _| !known_heaps.contains(identity));
        lines.extend(heaps.into_values().map(|heap| Line {
            kind: HEAP,
            number: 0,
            address: 0,
            name: Some(heap.name).filter(|name| !name.is_empty()),
            public_count: 0,
            internal_count: heap.internal_count,
            size: Some(heap.size),
        }));
        lines
    }
}

/// ReportLiveDeviceObjects: the device, with DETAIL each object, with SUMMARY each kind.
pub(super) fn report(device: &Object<Device>, flags: u32) {
    for (id, text) in messages(device, flags) {
        device.say(Category::StateCreation, Severity::Warning, id, text);
    }
}

/// Their numbers and texts.
fn messages(device: &Object<Device>, flags: u32) -> Vec<(u32, String)> {
    let header = device.header();
    let mut first = format!("Live {} at {:p}", header.class().name, device.as_interface());
    add_name(&mut first, header.debug_name());
    let _ = write!(first, ", Refcount: {}", header.public_count());
    let Some(live) = &device.live else {
        first.push_str("; its objects are listed where the debug layer was there before it");
        return vec![(LIVE_DEVICE, first)];
    };
    let mut lines = live.lines();
    if flags & IGNORE_INTERNAL != 0 {
        lines.retain(|line| line.public_count > 0);
    }
    let mut messages = vec![(LIVE_DEVICE, first)];
    if flags & DETAIL != 0 {
        messages.extend(lines.iter().map(|line| (message_id(line.kind), detail(line))));
    }
    if flags & SUMMARY != 0 {
        messages.extend(summary(&lines).into_iter().map(|text| (LIVE_OBJECT_SUMMARY, text)));
    }
    messages
}

fn message_id(kind: &str) -> u32 {
    let known = KINDS.iter().find(|(name, _)| *name == kind);
    known.map_or(0, |(_, id)| *id)
}

fn add_name(text: &mut String, name: Option<String>) {
    if let Some(name) = name {
        let _ = write!(text, ", Name: {name}");
    }
}

fn detail(line: &Line) -> String {
    let mut text = format!("\tLive {} at {:#x}", line.kind, line.address);
    add_name(&mut text, line.name.clone());
    let _ = write!(text, ", Refcount: {}, IntRef: {}", line.public_count, line.internal_count);
    if let Some(size) = line.size {
        let _ = write!(text, ", Size: {size}");
    }
    text
}

/// A line for each kind, in the order of their names.
fn summary(lines: &[Line]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, (u64, Option<u64>)> = BTreeMap::new();
    for line in lines {
        let (count, size) = kinds.entry(line.kind).or_default();
        *count += 1;
        if let Some(one) = line.size {
            *size = Some(size.unwrap_or(0).saturating_add(one));
        }
    }
    let of = |(kind, (count, size)): (&str, (u64, Option<u64>))| {
        let mut text = format!("\tLive {kind}: {count}");
        if let Some(size) = size {
            let _ = write!(text, ", Size: {size}");
        }
        text
    };
    kinds.into_iter().map(of).collect()
}

/// Devices whose configuration asks what is alive when the process ends.
static AT_EXIT: Mutex<Vec<DevicePointer>> = Mutex::new(Vec::new());

struct DevicePointer(NonNull<Object<Device>>);

// SAFETY: as of `Pointer`, with the list's lock.
unsafe impl Send for DevicePointer {}

/// The device is told of when the process ends.
pub(super) fn tell_at_exit(device: &Object<Device>) {
    AT_EXIT.lock().push(DevicePointer(NonNull::from(device)));
}

/// The device goes.
pub(super) fn forget(device: &Object<Device>) {
    AT_EXIT.lock().retain(|DevicePointer(known)| !core::ptr::eq(known.as_ptr(), device));
}

/// The library's last words, behind the destructors of the program's static objects, which may hold a device: hence no
/// `atexit`, whose functions run before those of objects that are older than the device.
#[used]
#[unsafe(link_section = ".fini_array")]
static LAST_WORDS: extern "C" fn() = say_at_exit;

extern "C" fn say_at_exit() {
    // A thread that is still there may hold the lock, for good: then nothing is said.
    let Some(devices) = AT_EXIT.try_lock() else { return };
    for DevicePointer(device) in &*devices {
        // SAFETY: a device leaves the list before anything of it goes.
        for (_, text) in messages(unsafe { device.as_ref() }, SUMMARY | DETAIL) {
            eprintln!("heapstone: {text}");
        }
    }
}
