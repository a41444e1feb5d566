//! Traces made from a seed: for benches, for tests, and to try a device with.

use heapstone::InitialState;
use heapstone_spec::{
    ClearColor, ClearValue, Format, HeapDesc, HeapFlags, HeapProperties, HeapType, ResourceDesc,
    ResourceFlags, ResourceStates, SdkVersion,
};
use heapstone_units::{KIB, MIB};

use crate::model::{Call, Record, ResourceArguments, TraceHeader, TraceId};

/// What a generated trace is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GenerateOptions {
    /// The same seed gives the same trace.
    pub seed: u64,
    /// Calls in it, header not counted.
    pub calls: u64,
    /// Resources that live at once, at most.
    pub live: usize,
}

/// Bytes of each heap.
const HEAP_SIZE: u64 = 64 * MIB;
/// Every placed resource lies in a slot of its own of that size.
const SLOT_SIZE: u64 = 256 * KIB;
/// Slots of a heap.
const HEAP_SLOTS: u64 = HEAP_SIZE / SLOT_SIZE;

/// A resource that lives: its number, and the slot it has where it is placed.
#[derive(Clone, Copy, Debug)]
struct Live {
    id: TraceId,
    slot: Option<(usize, u64)>,
}

/// What lies in a heap.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Buffers,
    Textures,
}

/// Heaps of one kind, and their free slots.
#[derive(Debug, Default)]
struct Shelf {
    heaps: Vec<TraceId>,
    free: Vec<(usize, u64)>,
}

/// An iterator of the calls: heaps that are filled and emptied by placed buffers and textures, some
/// committed resources, some names and mappings. Legal on every profile and SDK with enough memory:
/// each heap holds one kind of resource.
#[derive(Debug)]
pub struct Generator {
    options: GenerateOptions,
    random: XorShift,
    next_id: u64,
    made: u64,
    live: Vec<Live>,
    buffers: Shelf,
    textures: Shelf,
    /// The second call of a pair.
    pending: Option<Call>,
}

/// The calls of a made-up trace, with its header.
#[must_use]
pub fn generate(options: GenerateOptions) -> (TraceHeader, Generator) {
    let header = TraceHeader {
        sdk: Some(SdkVersion::LATEST),
        source: Some(format!(
            "generated: seed {}, {} calls, {} live",
            options.seed, options.calls, options.live
        )),
        ..TraceHeader::new()
    };
    let generator = Generator {
        options,
        random: XorShift::new(options.seed),
        next_id: 1,
        made: 0,
        live: Vec::new(),
        buffers: Shelf::default(),
        textures: Shelf::default(),
        pending: None,
    };
    (header, generator)
}

impl Iterator for Generator {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        if self.made == self.options.calls {
            return None;
        }
        self.made += 1;
        let call = match self.pending.take() {
            Some(call) => call,
            None => self.call(),
        };
        Some(Record::new(call))
    }
}

impl Generator {
    fn call(&mut self) -> Call {
        let destroy =
            !self.live.is_empty() && (self.live.len() >= self.options.live || self.random.below(100) < 45);
        if destroy {
            return self.destroy();
        }
        match self.random.below(100) {
            0..60 => self.placed(Kind::Buffers),
            60..85 => self.placed(Kind::Textures),
            85..95 => self.committed_buffer(),
            95..98 => self.committed_target(),
            _ => self.named_buffer(),
        }
    }

    fn destroy(&mut self) -> Call {
        let count = crate::error::as_u64(self.live.len());
        let at = usize::try_from(self.random.below(count)).expect("invariant: below a length");
        let gone = self.live.swap_remove(at);
        match gone.slot {
            Some((heap, slot)) if heap % 2 == 0 => self.buffers.free.push((heap / 2, slot)),
            Some((heap, slot)) => self.textures.free.push((heap / 2, slot)),
            None => {}
        }
        Call::Destroy { id: gone.id }
    }

    fn placed(&mut self, kind: Kind) -> Call {
        let (shelf, parity) = match kind {
            Kind::Buffers => (&mut self.buffers, 0),
            Kind::Textures => (&mut self.textures, 1),
        };
        let Some((heap, slot)) = shelf.free.pop() else {
            return self.heap(kind);
        };
        let heap_id = shelf.heaps[heap];
        let desc = match kind {
            // Most buffers of a real program are small (30 of 45 below 64 KiB in a DirectML trace).
            Kind::Buffers if self.random.below(3) < 2 => ResourceDesc::buffer(16 + self.random.below(65_520)),
            Kind::Buffers => ResourceDesc::buffer(65_536 + self.random.below(SLOT_SIZE - 65_536)),
            Kind::Textures => self.texture(),
        };
        let id = self.new_resource(Some((heap * 2 + parity, slot)));
        Call::CreatePlacedResource {
            id,
            heap: heap_id,
            offset: slot * SLOT_SIZE,
            resource: ResourceArguments::new(desc),
        }
    }

    /// A texture that no profile lays out in more than a slot.
    fn texture(&mut self) -> ResourceDesc {
        let extent = 4_u32 << self.random.below(5);
        let (format, mips) = match self.random.below(3) {
            0 => (Format::BC7_UNORM, 1),
            1 => (Format::R8G8B8A8_UNORM, 1),
            _ => (Format::R8_UNORM, 3),
        };
        ResourceDesc::texture_2d(format, u64::from(extent), extent).with_mip_levels(mips)
    }

    fn heap(&mut self, kind: Kind) -> Call {
        let id = self.new_id();
        let (shelf, flags) = match kind {
            Kind::Buffers => (&mut self.buffers, HeapFlags::ALLOW_ONLY_BUFFERS),
            Kind::Textures => (&mut self.textures, HeapFlags::ALLOW_ONLY_NON_RT_DS_TEXTURES),
        };
        let heap = shelf.heaps.len();
        shelf.heaps.push(id);
        shelf.free.extend((0..HEAP_SLOTS).rev().map(|slot| (heap, slot)));
        Call::CreateHeap { id, desc: HeapDesc::new(HEAP_SIZE, HeapType::Default).with_flags(flags) }
    }

    fn committed_buffer(&mut self) -> Call {
        let (heap_type, state) = match self.random.below(3) {
            0 => (HeapType::Upload, ResourceStates::GENERIC_READ),
            1 => (HeapType::Readback, ResourceStates::COPY_DEST),
            _ => (HeapType::Default, ResourceStates::COMMON),
        };
        let desc = ResourceDesc::buffer(1 + self.random.below(256 * KIB));
        self.committed(heap_type, ResourceArguments::new(desc).with_state(state))
    }

    fn committed_target(&mut self) -> Call {
        let extent = 64_u32 << self.random.below(3);
        let format = Format::R8G8B8A8_UNORM;
        let desc = ResourceDesc::texture_2d(format, u64::from(extent), extent)
            .with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
        let resource = ResourceArguments {
            initial: InitialState::State(ResourceStates::RENDER_TARGET),
            clear_value: Some(ClearValue { format, value: ClearColor::Color([0.0, 0.0, 0.0, 1.0]) }),
            ..ResourceArguments::new(desc)
        };
        self.committed(HeapType::Default, resource)
    }

    /// A committed upload buffer that gets a name.
    fn named_buffer(&mut self) -> Call {
        let desc = ResourceDesc::buffer(4 * KIB);
        let resource = ResourceArguments::new(desc).with_state(ResourceStates::GENERIC_READ);
        let call = self.committed(HeapType::Upload, resource);
        let id = call.id();
        self.pending = Some(Call::SetName { id, name: format!("staging {}", id.0).into() });
        call
    }

    fn committed(&mut self, heap_type: HeapType, resource: ResourceArguments) -> Call {
        let id = self.new_resource(None);
        Call::CreateCommittedResource {
            id,
            heap_properties: HeapProperties::new(heap_type),
            heap_flags: HeapFlags::empty(),
            resource,
        }
    }

    fn new_resource(&mut self, slot: Option<(usize, u64)>) -> TraceId {
        let id = self.new_id();
        self.live.push(Live { id, slot });
        id
    }

    fn new_id(&mut self) -> TraceId {
        let id = TraceId(self.next_id);
        self.next_id += 1;
        id
    }
}

/// Marsaglia's xorshift64*: small, fast, the same everywhere.
#[derive(Clone, Debug)]
pub(crate) struct XorShift(u64);

impl XorShift {
    pub(crate) fn new(seed: u64) -> XorShift {
        // The state is never 0; seeds near each other are set apart.
        XorShift(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`, which is small against 2^32: the bias does not matter.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        (self.next() >> 32) % bound.max(1)
    }
}
