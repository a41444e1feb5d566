//! The writer: one line a call, everything that has D3D12's default left out.

use std::io::{self, Write};

use heapstone::{InitialState, MapPointer};
use heapstone_spec::{
    ClearColor, ClearValue, CpuPageProperty, Format, HeapFlags, HeapProperties, HeapType, MemoryPool,
    MipRegion, ResourceDimension, ResourceFlags, ResourceStates, SampleDesc, TextureLayout,
};
use heapstone_units::ByteRange;

use super::fields::Field;
use super::gpu::write_fields;
use super::{FORMAT_VERSION, HEADER_KEY};
use crate::model::{Call, Record, RecordedOutcome, ResourceArguments, TraceHeader};

/// Writes our own format, one call a line. Buffers nothing but the line: give it a
/// [`std::io::BufWriter`] where writing is dear.
#[derive(Debug)]
pub struct TraceWriter<W> {
    writer: W,
    line: Vec<u8>,
}

impl<W: Write> TraceWriter<W> {
    /// Writes the header line, always of the present version.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn new(writer: W, header: &TraceHeader) -> io::Result<TraceWriter<W>> {
        let mut trace = TraceWriter { writer, line: Vec::with_capacity(256) };
        trace.line.extend_from_slice(b"{\"");
        trace.line.extend_from_slice(HEADER_KEY.as_bytes());
        write!(trace.line, "\":{{\"version\":{FORMAT_VERSION}")?;
        let sdk = header.sdk.map(|sdk| sdk.name().to_owned());
        let texts =
            [("profile", &header.profile), ("sdk", &sdk), ("tool", &header.tool), ("source", &header.source)];
        for (key, text) in texts {
            if let Some(text) = text {
                write!(trace.line, ",\"{key}\":")?;
                json_text(&mut trace.line, text)?;
            }
        }
        trace.line.extend_from_slice(b"}}\n");
        trace.writer.write_all(&trace.line)?;
        Ok(trace)
    }

    /// Writes one call; its position is not kept, a line has its own.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        self.line.clear();
        Line { out: &mut self.line }.record(record)?;
        self.writer.write_all(&self.line)
    }

    /// Writes what the writer buffers.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    /// The writer, flushed.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn into_inner(mut self) -> io::Result<W> {
        self.writer.flush()?;
        Ok(self.writer)
    }
}

/// The line of a call, without its end; for reports.
pub(crate) fn line_of(record: &Record) -> String {
    let mut out = Vec::new();
    // Writing to memory fails only where there is none, and then nothing is left to say.
    let written = Line { out: &mut out }.record(record);
    debug_assert!(written.is_ok());
    String::from_utf8_lossy(out.trim_ascii_end()).into_owned()
}

fn json_text(out: &mut Vec<u8>, text: &str) -> io::Result<()> {
    serde_json::to_writer(out, text).map_err(io::Error::from)
}

struct Line<'a> {
    out: &'a mut Vec<u8>,
}

impl Line<'_> {
    fn record(&mut self, record: &Record) -> io::Result<()> {
        match &record.call {
            Call::Gpu { id, call } => {
                write!(self.out, "{{\"{}\":{{", call.kind().name())?;
                if call.kind().has_object() {
                    write!(self.out, "\"id\":{id}")?;
                }
                write_fields(self.out, call)?;
            }
            call => {
                write!(self.out, "{{\"{}\":{{\"id\":{}", call.kind_name(), call.id())?;
                self.call(call)?;
            }
        }
        self.optional(Field::Time, record.timestamp_us)?;
        self.optional(Field::Thread, record.thread)?;
        match &record.outcome {
            RecordedOutcome::Accepted => {}
            RecordedOutcome::Refused(rule) => self.text(Field::Refused, rule)?,
            RecordedOutcome::Failed(why) => self.text(Field::Failed, why)?,
        }
        self.out.extend_from_slice(b"}}\n");
        Ok(())
    }

    fn call(&mut self, call: &Call) -> io::Result<()> {
        match call {
            Call::CreateHeap { desc, .. } => {
                self.number(Field::Size, desc.size)?;
                self.properties(Field::Type, &desc.properties)?;
                self.unless(Field::Alignment, desc.alignment, 0)?;
                self.heap_flags(Field::Flags, desc.flags)
            }
            Call::CreateCommittedResource { heap_properties, heap_flags, resource, .. } => {
                self.properties(Field::HeapType, heap_properties)?;
                self.heap_flags(Field::HeapFlags, *heap_flags)?;
                self.resource(resource)
            }
            Call::CreatePlacedResource { heap, offset, resource, .. } => {
                self.number(Field::Heap, heap.0)?;
                self.unless(Field::Offset, *offset, 0)?;
                self.resource(resource)
            }
            Call::CreateReservedResource { resource, .. } => self.resource(resource),
            Call::RequestResource { heap_type, resource, place, made_heap, .. } => {
                if *heap_type != HeapType::Default {
                    self.name(Field::HeapType, heap_type.name())?;
                }
                if let Some((heap, offset)) = place {
                    self.number(Field::Heap, heap.0)?;
                    self.unless(Field::Offset, *offset, 0)?;
                }
                self.optional(Field::MadeHeap, made_heap.map(|heap| heap.0))?;
                self.resource(resource)
            }
            Call::Map { subresource, read_range, pointer, .. } => {
                self.unless(Field::Subresource, u64::from(*subresource), 0)?;
                self.range(Field::ReadRange, *read_range)?;
                match pointer {
                    MapPointer::Wanted => Ok(()),
                    MapPointer::Null => self.raw(Field::NoPointer, "true"),
                }
            }
            Call::Unmap { subresource, written_range, .. } => {
                self.unless(Field::Subresource, u64::from(*subresource), 0)?;
                self.range(Field::WrittenRange, *written_range)
            }
            Call::SetName { name, .. } => self.text(Field::Name, name),
            Call::SetTag { tag, .. } => self.text(Field::Tag, tag),
            // Calls of GPU work are written by serde.
            Call::Destroy { .. } | Call::Gpu { .. } => Ok(()),
        }
    }

    fn resource(&mut self, resource: &ResourceArguments) -> io::Result<()> {
        let desc = &resource.desc;
        if desc.dimension != ResourceDimension::Buffer {
            self.name(Field::Dimension, desc.dimension.name())?;
        }
        self.number(Field::Width, desc.width)?;
        self.unless(Field::Height, u64::from(desc.height), 1)?;
        self.unless(Field::DepthOrArraySize, u64::from(desc.depth_or_array_size), 1)?;
        self.unless(Field::MipLevels, u64::from(desc.mip_levels), 1)?;
        if desc.format != Format::UNKNOWN {
            self.name(Field::Format, desc.format.name())?;
        }
        self.unless(Field::Alignment, desc.alignment, 0)?;
        self.unless(
            Field::SampleCount,
            u64::from(desc.sample_desc.count),
            u64::from(SampleDesc::SINGLE.count),
        )?;
        self.unless(Field::SampleQuality, u64::from(desc.sample_desc.quality), 0)?;
        let usual = if desc.is_buffer() { TextureLayout::RowMajor } else { TextureLayout::Unknown };
        if desc.layout != usual {
            self.name(Field::Layout, desc.layout.name())?;
        }
        if desc.flags != ResourceFlags::empty() {
            self.raw(Field::Flags, &format!("\"{}\"", desc.flags))?;
        }
        let region = desc.sampler_feedback_mip_region;
        if region != MipRegion::default() {
            self.raw(Field::MipRegion, &format!("[{},{},{}]", region.width, region.height, region.depth))?;
        }
        match resource.initial {
            InitialState::State(state) if state == ResourceStates::COMMON => {}
            // One name for its six bits: most upload buffers have it.
            InitialState::State(ResourceStates::GENERIC_READ) => self.name(Field::State, "GENERIC_READ")?,
            InitialState::State(state) => self.raw(Field::State, &format!("\"{state}\""))?,
            InitialState::Layout(layout) => self.name(Field::BarrierLayout, layout.name())?,
        }
        if let Some(clear) = &resource.clear_value {
            self.clear_value(clear)?;
        }
        if !resource.castable_formats.is_empty() {
            let names: Vec<String> =
                resource.castable_formats.iter().map(|format| format!("\"{format}\"")).collect();
            self.raw(Field::CastableFormats, &format!("[{}]", names.join(",")))?;
        }
        Ok(())
    }

    fn clear_value(&mut self, clear: &ClearValue) -> io::Result<()> {
        write!(self.out, ",\"{}\":{{\"format\":\"{}\"", Field::ClearValue.name(), clear.format)?;
        match clear.value {
            ClearColor::Color([r, g, b, a]) => {
                write!(self.out, ",\"color\":[{},{},{},{}]", float(r), float(g), float(b), float(a))?;
            }
            ClearColor::DepthStencil { depth, stencil } => {
                write!(self.out, ",\"depth\":{}", float(depth))?;
                if stencil != 0 {
                    write!(self.out, ",\"stencil\":{stencil}")?;
                }
            }
        }
        self.out.push(b'}');
        Ok(())
    }

    fn properties(&mut self, type_field: Field, properties: &HeapProperties) -> io::Result<()> {
        if properties.heap_type != HeapType::Default {
            self.name(type_field, properties.heap_type.name())?;
        }
        if properties.cpu_page_property != CpuPageProperty::Unknown {
            self.name(Field::CpuPageProperty, properties.cpu_page_property.name())?;
        }
        if properties.memory_pool_preference != MemoryPool::Unknown {
            self.name(Field::MemoryPool, properties.memory_pool_preference.name())?;
        }
        self.unless(Field::CreationNodeMask, u64::from(properties.creation_node_mask), 0)?;
        self.unless(Field::VisibleNodeMask, u64::from(properties.visible_node_mask), 0)
    }

    fn heap_flags(&mut self, field: Field, flags: HeapFlags) -> io::Result<()> {
        if flags == HeapFlags::empty() { Ok(()) } else { self.raw(field, &format!("\"{flags}\"")) }
    }

    fn range(&mut self, field: Field, range: Option<ByteRange>) -> io::Result<()> {
        match range {
            Some(range) => write!(self.out, ",\"{}\":[{},{}]", field.name(), range.begin, range.end),
            None => Ok(()),
        }
    }

    fn number(&mut self, field: Field, value: u64) -> io::Result<()> {
        write!(self.out, ",\"{}\":{value}", field.name())
    }

    fn unless(&mut self, field: Field, value: u64, usual: u64) -> io::Result<()> {
        if value == usual { Ok(()) } else { self.number(field, value) }
    }

    fn optional(&mut self, field: Field, value: Option<u64>) -> io::Result<()> {
        value.map_or(Ok(()), |value| self.number(field, value))
    }

    /// A name of D3D12's: nothing in it needs an escape.
    fn name(&mut self, field: Field, name: &str) -> io::Result<()> {
        write!(self.out, ",\"{}\":\"{name}\"", field.name())
    }

    /// What is JSON already.
    fn raw(&mut self, field: Field, json: &str) -> io::Result<()> {
        write!(self.out, ",\"{}\":{json}", field.name())
    }

    fn text(&mut self, field: Field, text: &str) -> io::Result<()> {
        write!(self.out, ",\"{}\":", field.name())?;
        json_text(self.out, text)
    }
}

/// The shortest text that reads back as the same number; a JSON string where JSON has no number.
fn float(value: f32) -> String {
    if value.is_nan() {
        "\"NaN\"".to_owned()
    } else if value.is_infinite() {
        if value > 0.0 { "\"inf\"".to_owned() } else { "\"-inf\"".to_owned() }
    } else if value == 0.0 && value.is_sign_negative() {
        "-0.0".to_owned()
    } else {
        value.to_string()
    }
}
