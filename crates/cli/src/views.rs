//! `heapstone views`: whether a view of a buffer is legal, what its surface is, and what other APIs say of it.

use clap::{Args, ValueEnum};
use heapstone::{
    Backing, CommittedResourceDesc, DescriptorHeap, Device, Error, HeapType, Resource, ResourceDesc,
    ResourceFlags,
};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_layout::buffer_view::{
    BINDING_RULES, Binding, BindingApi, BindingRule, BufferAccess, ElementKind, PaddedSize, Width,
    memory_requirement,
};
use heapstone_spec::views::{
    BufferViewFlags, ComponentMapping, ConstantBufferViewDesc, DescriptorHeapDesc, DescriptorHeapType,
    ShaderResourceViewDesc, SrvDimension, UavDimension, UnorderedAccessViewDesc,
};
use heapstone_spec::{Format, Violation};
use heapstone_units::GpuVirtualAddress;
use serde::Serialize;

use crate::args::{DeviceArgs, parse_format};
use crate::failure::{Failure, Verdict};
use crate::format::parse_bytes;
use crate::page::{self, Page, Side, Style, Table};
use crate::profiles;
use crate::violation::{self, ViolationJson};

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  heapstone views raw --size 10
  heapstone views structured --stride 12 --offset 24 --size 120 --uav
  heapstone views typed --format R8G8B8A8_UNORM --size 4096
  heapstone views constant --offset 128 --size 256 --buffer 1024

Exit codes:
  0  the view is legal in D3D12
  1  it is refused
  2  the command line is wrong")]
pub(crate) struct ViewsArgs {
    /// What the view shows
    #[arg(value_enum)]
    kind: KindArg,
    /// Bytes that it shows
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    size: u64,
    /// Its first byte in the buffer
    #[arg(long, value_name = "BYTES", default_value = "0", value_parser = parse_bytes)]
    offset: u64,
    /// Bytes of the buffer [default: offset and size]
    #[arg(long, value_name = "BYTES", value_parser = parse_bytes)]
    buffer: Option<u64>,
    /// Bytes of a structure; needed of a structured view
    #[arg(long, value_name = "BYTES")]
    stride: Option<u32>,
    /// DXGI_FORMAT; needed of a typed view
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    format: Option<Format>,
    /// An unordered access view, in place of a shader resource view
    #[arg(long)]
    uav: bool,
    #[command(flatten)]
    device: DeviceArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A kind of view of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// By bytes, in dwords
    Raw,
    /// Structures
    Structured,
    /// Texels of a format
    Typed,
    /// A constant buffer
    Constant,
}

/// What is printed.
struct Answer {
    buffer: u64,
    /// The refusal, where D3D12 has one.
    d3d12: Result<(), Refusal>,
    padded: Option<PaddedSize>,
    apis: Vec<(&'static BindingRule, Option<String>)>,
}

/// Why a view is not legal.
enum Refusal {
    Rule(Box<Violation>),
    /// D3D12's description counts elements, and has no number for it.
    Elements {
        field: &'static str,
        given: u64,
        size: u64,
    },
    Other(String),
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Refusal::Rule(violation) => write!(f, "{violation}"),
            Refusal::Elements { field, given, size } => {
                write!(
                    f,
                    "view.elements: {field} is {given}; allowed: multiples of {size}, the bytes of an element"
                )
            }
            Refusal::Other(text) => f.write_str(text),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        match error {
            Error::Invalid(violation) => Refusal::Rule(violation),
            other => Refusal::Other(other.to_string()),
        }
    }
}

/// An option that a kind of view has no use for would be left out without a word.
fn only_options_of_the_kind(args: &ViewsArgs) -> Result<(), Failure> {
    let kind = args.kind;
    let options = [
        ("--stride", args.stride.is_some(), kind == KindArg::Structured, "structured"),
        ("--format", args.format.is_some(), kind == KindArg::Typed, "typed"),
        ("--uav", args.uav, kind != KindArg::Constant, "raw, structured and typed"),
    ];
    match options.into_iter().find(|(_, is_given, is_allowed, _)| *is_given && !is_allowed) {
        None => Ok(()),
        Some((option, _, _, kinds)) => {
            Err(Failure::new(format_args!("{option} is given; allowed: of views that are {kinds}")))
        }
    }
}

pub(crate) fn run(args: &ViewsArgs) -> Result<Verdict, Failure> {
    only_options_of_the_kind(args)?;
    let buffer = match args.buffer {
        Some(buffer) => buffer,
        None => args.offset.checked_add(args.size).ok_or_else(|| {
            Failure::new(format_args!("offset {} and size {} go beyond 64 bits", args.offset, args.size))
        })?,
    };
    let binding = if args.kind == KindArg::Constant { Binding::Uniform } else { Binding::Storage };
    let answer = Answer {
        buffer,
        d3d12: create(args, buffer)?,
        padded: PaddedSize::of(args.size),
        apis: BINDING_RULES
            .iter()
            .filter(|rule| rule.binding == binding && rule.api != BindingApi::D3D12)
            .map(|rule| {
                let refused = rule.check(args.offset, args.size, buffer).err();
                (rule, refused.map(|error| error.to_string()))
            })
            .collect(),
    };
    if args.json {
        page::print(&to_json(args, &answer)?)?;
    } else {
        let mut page = Page::new(Style::of_stdout());
        write(&mut page, args, &answer);
        page.print()?;
    }
    Ok(if answer.d3d12.is_ok() { Verdict::Accepted } else { Verdict::Refused })
}

/// The view, created on a device of the profile.
fn create(args: &ViewsArgs, buffer: u64) -> Result<Result<(), Refusal>, Failure> {
    let factory = SoftDriverFactory::default();
    let device = Device::builder()
        .profile(profiles::find(&args.device.profile)?)
        .driver(&factory)
        .backing(Backing::Phantom)
        .sdk(args.device.sdk)
        .build()
        .map_err(Failure::new)?;
    let heap = DescriptorHeapDesc::new(DescriptorHeapType::CbvSrvUav, 1);
    let heap = device.create_descriptor_heap(&heap).map_err(Failure::new)?;
    create_on(&device, &heap, args, buffer)
}

fn create_on(
    device: &Device,
    heap: &DescriptorHeap,
    args: &ViewsArgs,
    buffer: u64,
) -> Result<Result<(), Refusal>, Failure> {
    let flags = if args.uav { ResourceFlags::ALLOW_UNORDERED_ACCESS } else { ResourceFlags::empty() };
    let desc = ResourceDesc::buffer(buffer).with_flags(flags);
    let resource =
        match device.create_committed_resource(&CommittedResourceDesc::new(HeapType::Default, desc)) {
            Ok(resource) => resource,
            Err(error) => return Ok(Err(error.into())),
        };
    if args.kind == KindArg::Constant {
        return Ok(constant(device, heap, args, &resource));
    }
    let (format, stride, flags, element) = match args.kind {
        KindArg::Structured => {
            let stride = args.stride.filter(|stride| *stride != 0).ok_or_else(|| {
                Failure::new("a structured view has a stride").with_remedy("add --stride, e.g. --stride 16")
            })?;
            (Format::UNKNOWN, stride, BufferViewFlags::empty(), stride)
        }
        KindArg::Typed => {
            let format = args.format.ok_or_else(|| {
                Failure::new("a typed view has a format").with_remedy("add --format, e.g. --format R32_FLOAT")
            })?;
            let element = u32::from(format.info().bits_per_element / 8).max(1);
            (format, 0, BufferViewFlags::empty(), element)
        }
        KindArg::Raw | KindArg::Constant => (Format::R32_TYPELESS, 0, BufferViewFlags::RAW, 4),
    };
    let (first_element, element_count) = match elements(args, element) {
        Ok(elements) => elements,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let at = heap.cpu_start();
    let created = if args.uav {
        let dimension = UavDimension::Buffer {
            first_element,
            element_count,
            structure_byte_stride: stride,
            counter_offset_in_bytes: 0,
            flags,
        };
        let desc = UnorderedAccessViewDesc { format, dimension };
        device.create_unordered_access_view(Some(&resource), None, Some(&desc), at)
    } else {
        let dimension =
            SrvDimension::Buffer { first_element, element_count, structure_byte_stride: stride, flags };
        let desc =
            ShaderResourceViewDesc { format, dimension, component_mapping: ComponentMapping::IDENTITY };
        device.create_shader_resource_view(Some(&resource), Some(&desc), at)
    };
    Ok(created.map_err(Refusal::from))
}

fn constant(
    device: &Device,
    heap: &DescriptorHeap,
    args: &ViewsArgs,
    resource: &Resource,
) -> Result<(), Refusal> {
    let beyond = |field: &str, given: u64| {
        Refusal::Other(format!("view.cbv: {field} is {given}; allowed: what its field has bits for"))
    };
    let address = resource.gpu_virtual_address().0.checked_add(args.offset);
    let desc = ConstantBufferViewDesc {
        buffer_location: GpuVirtualAddress(address.ok_or_else(|| beyond("offset", args.offset))?),
        size_in_bytes: u32::try_from(args.size).map_err(|_| beyond("SizeInBytes", args.size))?,
    };
    Ok(device.create_constant_buffer_view(Some(&desc), heap.cpu_start())?)
}

/// FirstElement and NumElements.
fn elements(args: &ViewsArgs, size: u32) -> Result<(u64, u32), Refusal> {
    let size = u64::from(size);
    for (field, given) in [("offset", args.offset), ("size", args.size)] {
        if !given.is_multiple_of(size) {
            return Err(Refusal::Elements { field, given, size });
        }
    }
    let count = u32::try_from(args.size / size).map_err(|_| {
        Refusal::Other(format!("view.elements: NumElements is {}; allowed: below 2^32", args.size / size))
    })?;
    Ok((args.offset / size, count))
}

fn write(page: &mut Page, args: &ViewsArgs, answer: &Answer) {
    page.field(
        "view",
        format_args!("{} bytes from {} of a buffer of {}", args.size, args.offset, answer.buffer),
    );
    match &answer.d3d12 {
        Ok(()) => page.field("D3D12", "legal"),
        Err(Refusal::Rule(violation)) => {
            page.field("D3D12", "refused");
            violation::write(page, violation);
        }
        Err(other) => page.field("D3D12", format_args!("refused: {other}")),
    }
    page.heading("as a raw surface whose bounds hardware checks by dwords");
    match answer.padded {
        None => page.line("no 64-bit number holds its padded size"),
        Some(padded) => {
            page.field("padded size", padded.bytes());
            page.field("recovered", padded.buffer_size());
            let memory = memory_requirement(args.size, true, true);
            page.field(
                "memory",
                memory.map(|memory| format!("{memory}, with robust access")).unwrap_or_default(),
            );
            page.field("last bytes", lost(args.size));
        }
    }
    page.heading("root descriptors, and other APIs");
    let mut table = Table::new([
        ("API", Side::Left),
        ("offset", Side::Right),
        ("size", Side::Right),
        ("checked to", Side::Right),
        ("beyond it", Side::Left),
        ("this binding", Side::Left),
    ]);
    for (rule, refused) in &answer.apis {
        let checked = rule.checked_range(args.size).map_or_else(|| "-".to_owned(), |range| range.to_string());
        table.row([
            rule.api.to_string(),
            format!("x {}", rule.offset_alignment),
            format!("x {}", rule.size_multiple),
            checked,
            rule.out_of_bounds.to_string(),
            refused.clone().unwrap_or_else(|| "legal".to_owned()),
        ]);
    }
    page.table(&table);
}

/// What a shader finds in the last bytes without padding, tried on the emulator.
fn lost(size: u64) -> String {
    // The last dword alone: bounds are the same wherever it is.
    let tail = size % 4;
    if tail == 0 {
        return "reached with and without padding".to_owned();
    }
    let width = if tail == 2 { Width::Bits16 } else { Width::Bits8 };
    let mut memory = [0xff; 4];
    let is_read =
        |view: &BufferAccess<'_>| view.load(tail - width.bytes(), 0, width).is_ok_and(|read| read != 0);
    let without = is_read(&BufferAccess::unpadded(&mut memory, tail, ElementKind::Raw));
    let with = BufferAccess::padded(&mut memory, tail, ElementKind::Raw).is_some_and(|view| is_read(&view));
    let word = |is_read: bool| if is_read { "read" } else { "read as 0" };
    format!("the last {tail} are {} without padding, {} with it", word(without), word(with))
}

#[derive(Serialize)]
struct AnswerJson {
    offset: u64,
    size: u64,
    buffer: u64,
    legal: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    violation: Option<ViolationJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    padded_size: Option<u64>,
    memory_requirement: Option<u64>,
    bindings: Vec<BindingJson>,
}

#[derive(Serialize)]
struct BindingJson {
    api: String,
    offset_alignment: u64,
    size_multiple: u64,
    size_max: Option<u64>,
    checked_range: Option<u64>,
    out_of_bounds: String,
    refused: Option<String>,
    source: &'static str,
}

fn to_json(args: &ViewsArgs, answer: &Answer) -> Result<String, Failure> {
    let (violation, refused) = match &answer.d3d12 {
        Ok(()) => (None, None),
        Err(Refusal::Rule(violation)) => (Some(ViolationJson::from(&**violation)), None),
        Err(other) => (None, Some(other.to_string())),
    };
    let binding = |(rule, refused): &(&'static BindingRule, Option<String>)| BindingJson {
        api: rule.api.to_string(),
        offset_alignment: rule.offset_alignment,
        size_multiple: rule.size_multiple,
        size_max: rule.size_max,
        checked_range: rule.checked_range(args.size),
        out_of_bounds: rule.out_of_bounds.to_string(),
        refused: refused.clone(),
        source: rule.source,
    };
    let json = AnswerJson {
        offset: args.offset,
        size: args.size,
        buffer: answer.buffer,
        legal: answer.d3d12.is_ok(),
        violation,
        refused,
        padded_size: answer.padded.map(PaddedSize::bytes),
        memory_requirement: memory_requirement(args.size, true, true),
        bindings: answer.apis.iter().map(binding).collect(),
    };
    serde_json::to_string_pretty(&json).map(|text| text + "\n").map_err(Failure::new)
}
