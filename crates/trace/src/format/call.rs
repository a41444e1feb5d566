//! One line as serde reads it: the call, and its fields with D3D12's defaults for those left out.

use core::fmt;

use heapstone::{InitialState, MapPointer};
use heapstone_spec::{
    BarrierLayout, ClearColor, ClearValue, CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties,
    HeapType, MemoryPool, MipRegion, ResourceDesc, ResourceDimension, ResourceFlags, ResourceStates,
    TextureLayout,
};
use heapstone_units::ByteRange;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::fields::{CallKind, Field, FieldSet};
use super::gpu::GpuBodySeed;
use crate::error::Position;
use crate::gpu::{GpuCall, GpuCallKind};
use crate::model::{Call, Record, RecordedOutcome, ResourceArguments, TraceId};

/// `{"<call>":{...}}`: the fields go into the draft, which is used again for each line.
pub(super) struct LineSeed<'a> {
    pub(super) draft: &'a mut Draft,
}

impl<'de> DeserializeSeed<'de> for LineSeed<'_> {
    type Value = LineKind;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<LineKind, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for LineSeed<'_> {
    type Value = LineKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("one call, {\"<call>\":{<fields>}}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<LineKind, A::Error> {
        let Some(kind) = map.next_key_seed(KindSeed)? else {
            return Err(de::Error::custom(format!("no call, expected one of {}", call_names())));
        };
        match kind {
            LineKind::Memory(kind) => map.next_value_seed(BodySeed { kind, draft: self.draft })?,
            LineKind::Gpu(kind) => map.next_value_seed(GpuBodySeed { kind, draft: self.draft })?,
        }
        match map.next_key_seed(KindSeed)? {
            None => Ok(kind),
            Some(second) => Err(de::Error::custom(format!(
                "a second call, `{}`, expected one call a line",
                second.name()
            ))),
        }
    }
}

/// Which call a line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineKind {
    Memory(CallKind),
    Gpu(GpuCallKind),
}

impl LineKind {
    #[inline]
    pub(crate) fn from_name(name: &str) -> Option<LineKind> {
        match CallKind::from_name(name) {
            Some(kind) => Some(LineKind::Memory(kind)),
            None => GpuCallKind::from_name(name).map(LineKind::Gpu),
        }
    }

    const fn name(self) -> &'static str {
        match self {
            LineKind::Memory(kind) => kind.name(),
            LineKind::Gpu(kind) => kind.name(),
        }
    }
}

fn call_names() -> String {
    let memory = CallKind::ALL.iter().map(|kind| kind.name());
    let names: Vec<_> = memory.chain(GpuCallKind::ALL.iter().map(|kind| kind.name())).collect();
    names.join(", ")
}

struct KindSeed;

impl<'de> DeserializeSeed<'de> for KindSeed {
    type Value = LineKind;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<LineKind, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for KindSeed {
    type Value = LineKind;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a call")
    }
    fn visit_str<E: de::Error>(self, name: &str) -> Result<LineKind, E> {
        LineKind::from_name(name).ok_or_else(|| {
            E::custom(format!("the unknown call `{}`, expected one of {}", shorten(name), call_names()))
        })
    }
}

/// A text from the file for an error message: not more of it than one reads.
pub(super) fn shorten(text: &str) -> &str {
    match text.char_indices().nth(64) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

struct FieldSeed {
    kind: CallKind,
}

impl<'de> DeserializeSeed<'de> for FieldSeed {
    type Value = Field;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Field, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldSeed {
    type Value = Field;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }
    fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
        match Field::from_name(name) {
            Some(field) if self.kind.allowed().has(field) => Ok(field),
            _ => Err(E::custom(format!(
                "the field `{}` of {}, expected one of {}",
                shorten(name),
                self.kind.name(),
                self.kind.allowed().names()
            ))),
        }
    }
}

/// The fields of one call, with D3D12's defaults for those that are left out.
struct BodySeed<'a> {
    kind: CallKind,
    draft: &'a mut Draft,
}

impl<'de> DeserializeSeed<'de> for BodySeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

/// The fields of a call as far as they are read.
#[derive(Debug)]
pub(super) struct Draft {
    seen: FieldSet,
    id: u64,
    heap: u64,
    offset: u64,
    made_heap: u64,
    size: u64,
    desc: ResourceDesc,
    layout: Option<TextureLayout>,
    properties: HeapProperties,
    heap_flags: HeapFlags,
    state: ResourceStates,
    barrier_layout: BarrierLayout,
    clear_value: Option<ClearValue>,
    castable_formats: Vec<Format>,
    subresource: u32,
    range: ByteRange,
    no_pointer: bool,
    text: String,
    time: u64,
    thread: u64,
    outcome: RecordedOutcome,
    /// Of a call of GPU work: serde has made it already.
    pub(super) gpu: Option<Box<GpuCall>>,
}

impl Draft {
    pub(super) const fn new() -> Draft {
        Draft {
            seen: FieldSet::of(&[]),
            id: 0,
            heap: 0,
            offset: 0,
            made_heap: 0,
            size: 0,
            desc: ResourceDesc::buffer(0),
            layout: None,
            properties: HeapProperties::new(HeapType::Default),
            heap_flags: HeapFlags::empty(),
            state: ResourceStates::COMMON,
            barrier_layout: BarrierLayout::Undefined,
            clear_value: None,
            castable_formats: Vec::new(),
            subresource: 0,
            range: ByteRange::new(0, 0),
            no_pointer: false,
            text: String::new(),
            time: 0,
            thread: 0,
            outcome: RecordedOutcome::Accepted,
            gpu: None,
        }
    }

    fn field<'de, A: MapAccess<'de>>(
        &mut self,
        kind: CallKind,
        field: Field,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match field {
            Field::Id => self.id = map.next_value()?,
            Field::Heap => self.heap = map.next_value()?,
            Field::Offset => self.offset = map.next_value()?,
            Field::MadeHeap => self.made_heap = map.next_value()?,
            Field::Size => self.size = map.next_value()?,
            Field::Width => self.desc.width = map.next_value()?,
            Field::Type | Field::HeapType => self.properties.heap_type = map.next_value::<HeapType>()?,
            Field::Dimension => self.desc.dimension = map.next_value::<ResourceDimension>()?,
            Field::Height => self.desc.height = map.next_value()?,
            Field::DepthOrArraySize => self.desc.depth_or_array_size = map.next_value()?,
            Field::MipLevels => self.desc.mip_levels = map.next_value()?,
            Field::Format => self.desc.format = map.next_value::<Format>()?,
            Field::Flags if kind == CallKind::CreateHeap => {
                self.heap_flags = map.next_value::<HeapFlags>()?
            }
            Field::Flags => self.desc.flags = map.next_value::<ResourceFlags>()?,
            Field::HeapFlags => self.heap_flags = map.next_value::<HeapFlags>()?,
            Field::State => self.state = map.next_value::<ResourceStates>()?,
            Field::Alignment => self.desc.alignment = map.next_value()?,
            Field::SampleCount => self.desc.sample_desc.count = map.next_value()?,
            Field::SampleQuality => self.desc.sample_desc.quality = map.next_value()?,
            Field::Layout => self.layout = Some(map.next_value::<TextureLayout>()?),
            Field::MipRegion => {
                let [width, height, depth] = map.next_value::<[u32; 3]>()?;
                self.desc.sampler_feedback_mip_region = MipRegion { width, height, depth };
            }
            Field::BarrierLayout => self.barrier_layout = map.next_value::<BarrierLayout>()?,
            Field::ClearValue => self.clear_value = Some(map.next_value::<ClearText>()?.into_value()?),
            Field::CastableFormats => self.castable_formats = map.next_value()?,
            Field::CpuPageProperty => {
                self.properties.cpu_page_property = map.next_value::<CpuPageProperty>()?
            }
            Field::MemoryPool => self.properties.memory_pool_preference = map.next_value::<MemoryPool>()?,
            Field::CreationNodeMask => self.properties.creation_node_mask = map.next_value()?,
            Field::VisibleNodeMask => self.properties.visible_node_mask = map.next_value()?,
            Field::Subresource => self.subresource = map.next_value()?,
            Field::ReadRange | Field::WrittenRange => {
                let [begin, end] = map.next_value::<[u64; 2]>()?;
                self.range = ByteRange::new(begin, end);
            }
            Field::NoPointer => self.no_pointer = map.next_value()?,
            Field::Name | Field::Tag => self.text = map.next_value()?,
            Field::Time => self.time = map.next_value()?,
            Field::Thread => self.thread = map.next_value()?,
            Field::Refused => self.outcome = RecordedOutcome::Refused(map.next_value::<String>()?.into()),
            Field::Failed => self.outcome = RecordedOutcome::Failed(map.next_value::<String>()?.into()),
        }
        Ok(())
    }

    fn resource(&mut self) -> ResourceArguments {
        let mut desc = self.desc;
        desc.layout = match self.layout {
            Some(layout) => layout,
            None if desc.is_buffer() => TextureLayout::RowMajor,
            None => TextureLayout::Unknown,
        };
        ResourceArguments {
            desc,
            initial: if self.seen.has(Field::BarrierLayout) {
                InitialState::Layout(self.barrier_layout)
            } else {
                InitialState::State(self.state)
            },
            clear_value: self.clear_value,
            castable_formats: core::mem::take(&mut self.castable_formats).into_boxed_slice(),
        }
    }

    /// Reads a field that every call has, of a call of GPU work.
    pub(super) fn common<'de, A: MapAccess<'de>>(
        &mut self,
        field: Field,
        map: &mut A,
    ) -> Result<(), A::Error> {
        if self.seen.has(field) {
            return Err(twice(field));
        }
        self.seen = self.seen.union(FieldSet::of(&[field]));
        // Of no call the kind matters to these fields.
        self.field(CallKind::Destroy, field, map).map_err(|error| of_field(field.name(), error))
    }

    /// What serde did not look at of a call of GPU work.
    pub(super) fn check_gpu<E: de::Error>(&self, kind: GpuCallKind) -> Result<(), E> {
        if kind.has_object() && !self.seen.has(Field::Id) {
            return Err(E::custom(format!("{} without id, expected the field id", kind.name())));
        }
        self.check_at_most_one(Field::Refused, Field::Failed)
    }

    fn check_at_most_one<E: de::Error>(&self, one: Field, other: Field) -> Result<(), E> {
        if self.seen.has(one) && self.seen.has(other) {
            return Err(E::custom(format!(
                "both {} and {}, expected at most one of them",
                one.name(),
                other.name()
            )));
        }
        Ok(())
    }

    fn check<E: de::Error>(&self, kind: CallKind) -> Result<(), E> {
        let missing = kind.required().minus(self.seen);
        if !missing.is_empty() {
            return Err(E::custom(format!(
                "{} without {}, expected the fields {}",
                kind.name(),
                missing.names(),
                kind.required().names()
            )));
        }
        self.check_at_most_one(Field::State, Field::BarrierLayout)?;
        self.check_at_most_one(Field::Refused, Field::Failed)?;
        if kind == CallKind::RequestResource && self.seen.has(Field::Offset) && !self.seen.has(Field::Heap) {
            return Err(E::custom("an offset without a heap, expected heap beside offset"));
        }
        Ok(())
    }

    /// The call, once [`LineSeed`] said of which kind it is.
    pub(super) fn record(&mut self, kind: LineKind, position: Position) -> Record {
        Record {
            position,
            timestamp_us: self.seen.has(Field::Time).then_some(self.time),
            thread: self.seen.has(Field::Thread).then_some(self.thread),
            outcome: core::mem::take(&mut self.outcome),
            call: match kind {
                LineKind::Memory(kind) => self.call(kind),
                LineKind::Gpu(_) => self.gpu_call(),
            },
        }
    }

    fn gpu_call(&mut self) -> Call {
        let call = self.gpu.take().expect("invariant: the line had a call of GPU work");
        Call::Gpu { id: TraceId(self.id), call }
    }

    fn call(&mut self, kind: CallKind) -> Call {
        let id = TraceId(self.id);
        match kind {
            CallKind::CreateHeap => Call::CreateHeap {
                id,
                desc: HeapDesc {
                    size: self.size,
                    properties: self.properties,
                    alignment: self.desc.alignment,
                    flags: self.heap_flags,
                },
            },
            CallKind::CreateCommittedResource => Call::CreateCommittedResource {
                id,
                heap_properties: self.properties,
                heap_flags: self.heap_flags,
                resource: self.resource(),
            },
            CallKind::CreatePlacedResource => Call::CreatePlacedResource {
                id,
                heap: TraceId(self.heap),
                offset: self.offset,
                resource: self.resource(),
            },
            CallKind::CreateReservedResource => {
                Call::CreateReservedResource { id, resource: self.resource() }
            }
            CallKind::RequestResource => Call::RequestResource {
                id,
                heap_type: self.properties.heap_type,
                resource: self.resource(),
                place: self.seen.has(Field::Heap).then_some((TraceId(self.heap), self.offset)),
                made_heap: self.seen.has(Field::MadeHeap).then_some(TraceId(self.made_heap)),
            },
            CallKind::Map => Call::Map {
                id,
                subresource: self.subresource,
                read_range: self.seen.has(Field::ReadRange).then_some(self.range),
                pointer: if self.no_pointer { MapPointer::Null } else { MapPointer::Wanted },
            },
            CallKind::Unmap => Call::Unmap {
                id,
                subresource: self.subresource,
                written_range: self.seen.has(Field::WrittenRange).then_some(self.range),
            },
            CallKind::SetName => Call::SetName { id, name: core::mem::take(&mut self.text).into() },
            CallKind::SetTag => Call::SetTag { id, tag: core::mem::take(&mut self.text).into() },
            CallKind::Destroy => Call::Destroy { id },
        }
    }
}

impl<'de> Visitor<'de> for BodySeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the fields of {}", self.kind.name())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let BodySeed { kind, draft } = self;
        *draft = Draft::new();
        while let Some(field) = map.next_key_seed(FieldSeed { kind })? {
            if draft.seen.has(field) {
                return Err(twice(field));
            }
            draft.field(kind, field, &mut map).map_err(|error| of_field(field.name(), error))?;
            draft.seen = draft.seen.union(FieldSet::of(&[field]));
        }
        draft.check(kind)
    }
}

#[cold]
fn twice<E: de::Error>(field: Field) -> E {
    E::custom(format!("`{}` twice, expected it once", field.name()))
}

/// An error about a value, with the field that has it. serde_json finds the place again in the text.
#[cold]
pub(super) fn of_field<E: de::Error>(field: &str, error: E) -> E {
    let message = error.to_string();
    let (what, place) = message.split_at(message.rfind(" at line ").unwrap_or(message.len()));
    if what.contains(" is no ") {
        E::custom(format_args!("`{field}`: {message}"))
    } else if ["invalid value: ", "invalid type: ", "invalid length "].iter().any(|of| what.starts_with(of)) {
        E::custom(format_args!("{what} as `{field}`{place}"))
    } else {
        // Of the syntax, or of the file's end: made anew it would be one of the content.
        error
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClearText {
    format: Format,
    #[serde(default)]
    color: Option<[Float; 4]>,
    #[serde(default)]
    depth: Option<Float>,
    #[serde(default)]
    stencil: Option<u8>,
}

impl ClearText {
    fn into_value<E: de::Error>(self) -> Result<ClearValue, E> {
        let value = match (self.color, self.depth, self.stencil) {
            (Some([r, g, b, a]), None, None) => ClearColor::Color([r.0, g.0, b.0, a.0]),
            (None, None, None) => {
                return Err(E::custom("a clear value without color and depth, expected one of them"));
            }
            (None, depth, stencil) => ClearColor::DepthStencil {
                depth: depth.map_or(0.0, |depth| depth.0),
                stencil: stencil.unwrap_or(0),
            },
            (Some(_), _, _) => {
                return Err(E::custom("a clear value of color and depth-stencil, expected one of them"));
            }
        };
        Ok(ClearValue { format: self.format, value })
    }
}

/// A number, or one of the texts that stand for what JSON has no number for.
#[derive(Clone, Copy)]
struct Float(f32);

impl<'de> Deserialize<'de> for Float {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Float, D::Error> {
        struct FloatVisitor;
        impl Visitor<'_> for FloatVisitor {
            type Value = Float;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, \"NaN\", \"inf\" or \"-inf\"")
            }
            // The nearest 32-bit float is what the field holds; nothing smaller is meant.
            #[allow(clippy::cast_possible_truncation)]
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            #[allow(clippy::cast_precision_loss)]
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            #[allow(clippy::cast_precision_loss)]
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Float, E> {
                Ok(Float(value as f32))
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Float, E> {
                match text {
                    "NaN" => Ok(Float(f32::NAN)),
                    "inf" => Ok(Float(f32::INFINITY)),
                    "-inf" => Ok(Float(f32::NEG_INFINITY)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(shorten(text)), &self)),
                }
            }
        }
        deserializer.deserialize_any(FloatVisitor)
    }
}
