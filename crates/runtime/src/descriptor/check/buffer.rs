//! Views of buffers: typed, structured, raw, counters and constants.

use heapstone_spec::rules::view as rules;
use heapstone_spec::views::{BufferViewFlags, ConstantBufferViewDesc, UavDimension, UnorderedAccessViewDesc};
use heapstone_spec::{Format, FormatKind, FormatUses, ResourceFlags, Violation, limits};
use heapstone_units::ByteRange;

use super::{About, Checked, View, check_device};
use crate::descriptor::shape::{BufferShape, ViewRange};
use crate::device::DeviceInner;
use crate::resource::Resource;

/// Bytes of an element of a raw view.
const RAW_ELEMENT: u32 = 4;

/// Bytes of a counter.
const COUNTER_SIZE: u64 = 4;

/// The format that a legal view has.
pub(super) fn check(view: &View<'_>, shape: &BufferShape) -> Checked<Format> {
    check_elements(view, shape)?;
    let Some(resource) = view.resource else {
        return Ok(view.format);
    };
    if !resource.desc().is_buffer() {
        let allowed = format!("dimensions of a {}", resource.desc().dimension);
        return Err(
            view.said(About::Dimensions, rules::DIMENSION.violated("ViewDimension", "BUFFER", allowed))
        );
    }
    check_count(view, shape)?;
    check_range(view, shape, resource)?;
    if is_raw(shape) {
        check_raw_address(view, shape, resource)?;
    }
    Ok(view.format)
}

/// The part of its buffer that a legal view reaches.
pub(super) fn range(shape: &BufferShape, format: Format) -> ViewRange {
    let element_size = element_size(shape, format);
    let bytes = u64::from(element_size);
    ViewRange::Buffer {
        offset: shape.first_element.saturating_mul(bytes),
        size: u64::from(shape.element_count) * bytes,
        element_size,
    }
}

fn is_raw(shape: &BufferShape) -> bool {
    shape.flags.contains(BufferViewFlags::RAW)
}

/// In bytes, of a shape whose elements were judged.
fn element_size(shape: &BufferShape, format: Format) -> u32 {
    if is_raw(shape) {
        RAW_ELEMENT
    } else if shape.stride != 0 {
        shape.stride
    } else {
        u32::from(format.info().bits_per_element / 8)
    }
}

/// What an element is: dwords, structures, or texels of a format.
fn check_elements(view: &View<'_>, shape: &BufferShape) -> Checked<()> {
    let unknown = shape.flags.difference(BufferViewFlags::all());
    if !unknown.is_empty() {
        let given = format!("{:#x}", shape.flags.bits());
        let refused = rules::BUFFER_FLAGS.violated("Flags", given, "NONE, RAW");
        return Err(view.said(About::BufferFlags, refused));
    }
    if is_raw(shape) {
        check_raw(view, shape)
    } else if shape.stride != 0 {
        check_structured(view, shape)
    } else {
        check_typed(view)
    }
}

fn check_raw(view: &View<'_>, shape: &BufferShape) -> Checked<()> {
    if view.format != Format::R32_TYPELESS {
        let refused = rules::BUFFER_RAW.violated("Format", view.format, Format::R32_TYPELESS);
        return Err(view.said(About::Format, refused));
    }
    if shape.stride != 0 {
        let refused = rules::BUFFER_RAW.violated("StructureByteStride", shape.stride, 0);
        return Err(view.said(About::Desc, refused));
    }
    Ok(())
}

fn check_structured(view: &View<'_>, shape: &BufferShape) -> Checked<()> {
    if view.format != Format::UNKNOWN {
        let refused = rules::BUFFER_STRUCTURED.violated("Format", view.format, Format::UNKNOWN);
        return Err(view.said(About::Format, refused));
    }
    if !shape.stride.is_multiple_of(4) || shape.stride > limits::STRUCTURE_BYTE_STRIDE_MAX {
        let allowed = format!("multiples of 4 up to {}", limits::STRUCTURE_BYTE_STRIDE_MAX);
        let refused = rules::BUFFER_STRUCTURED.violated("StructureByteStride", shape.stride, allowed);
        return Err(view.said(About::Desc, refused));
    }
    Ok(())
}

fn check_typed(view: &View<'_>) -> Checked<()> {
    let format = view.format;
    let is_typed = format != Format::UNKNOWN && !format.info().kind.contains(FormatKind::TYPELESS);
    if !is_typed || !format.uses().contains(FormatUses::BUFFER) {
        let allowed = "typed formats of buffers; UNKNOWN with a stride; R32_TYPELESS with RAW";
        let refused = rules::BUFFER_FORMAT.violated("Format", format, allowed);
        return Err(view.said(About::Format, refused));
    }
    view.check_use(format)
}

fn check_count(view: &View<'_>, shape: &BufferShape) -> Checked<()> {
    let is_typed = shape.stride == 0 && !is_raw(shape);
    let maximum = if is_typed { limits::BUFFER_TEXELS_MAX } else { u32::MAX };
    if (1..=maximum).contains(&shape.element_count) {
        return Ok(());
    }
    let allowed = format!("1 to {maximum}");
    Err(view.said(About::Desc, rules::BUFFER_ELEMENTS.violated("NumElements", shape.element_count, allowed)))
}

fn check_range(view: &View<'_>, shape: &BufferShape, resource: &Resource) -> Checked<()> {
    let element = u64::from(element_size(shape, view.format));
    let width = resource.desc().width;
    let end = shape.first_element.checked_add(u64::from(shape.element_count));
    let end = end.and_then(|end| end.checked_mul(element));
    if end.is_some_and(|end| end <= width) {
        return Ok(());
    }
    let (first, count) = (shape.first_element, shape.element_count);
    let given = match end {
        Some(end) => format!("({first} + {count}) x {element} = {end} bytes"),
        None => format!("({first} + {count}) x {element}, beyond 64 bits"),
    };
    let allowed = format!("at most {width} bytes, {} elements", width / element);
    let refused = rules::BUFFER_RANGE.violated("FirstElement + NumElements", given, allowed);
    Err(view.said(About::Dimensions, refused))
}

fn check_raw_address(view: &View<'_>, shape: &BufferShape, resource: &Resource) -> Checked<()> {
    const ALIGNMENT: u64 = limits::RAW_VIEW_ALIGNMENT;
    // Within the buffer, as was judged.
    let offset = shape.first_element * u64::from(RAW_ELEMENT);
    let address = resource.gpu_virtual_address().0;
    if !offset.is_multiple_of(ALIGNMENT) {
        let given = format!("{}, at byte {offset}", shape.first_element);
        let allowed = format!("multiples of 4, at multiples of {ALIGNMENT} bytes");
        let refused = rules::BUFFER_RAW_OFFSET.violated("FirstElement", given, allowed);
        return Err(view.said(About::Desc, refused));
    }
    if !address.is_multiple_of(ALIGNMENT) {
        let given = format!("a buffer at {address:#x}");
        let allowed = format!("buffers at multiples of {ALIGNMENT}");
        let refused = rules::BUFFER_RAW_OFFSET.violated("pResource", given, allowed);
        return Err(view.said(About::Resource, refused));
    }
    Ok(())
}

/// A UAV's counter, beside a view that was found legal by itself.
pub(crate) fn check_counter(
    resource: Option<&Resource>,
    counter: Option<&Resource>,
    desc: Option<&UnorderedAccessViewDesc>,
    device: &DeviceInner,
) -> Checked<()> {
    let described = desc.map(|desc| desc.dimension);
    let offset = match described {
        Some(UavDimension::Buffer { counter_offset_in_bytes, .. }) => counter_offset_in_bytes,
        _ => 0,
    };
    let Some(counter) = counter else {
        if offset == 0 {
            return Ok(());
        }
        let allowed = "0, without a counter resource";
        return Err(rules::COUNTER_MISSING.violated("CounterOffsetInBytes", offset, allowed));
    };
    check_device(counter, device, "pCounterResource")?;
    let is_structured = matches!(
        described,
        Some(UavDimension::Buffer { structure_byte_stride, .. }) if structure_byte_stride != 0
    );
    if resource.is_none() || !is_structured {
        return Err(counter_of(resource, desc));
    }
    check_counter_place(counter, offset)
}

#[cold]
fn counter_of(resource: Option<&Resource>, desc: Option<&UnorderedAccessViewDesc>) -> Box<Violation> {
    let given = match (resource, desc) {
        (None, _) => "a counter beside a NULL resource",
        (_, None) => "a counter beside a NULL description",
        (Some(_), Some(UnorderedAccessViewDesc { dimension: UavDimension::Buffer { .. }, .. })) => {
            "a counter of a view without a stride"
        }
        (Some(_), Some(_)) => "a counter of a texture's view",
    };
    rules::COUNTER_VIEW.violated(
        "pCounterResource",
        given,
        "counters of described structured views of buffers",
    )
}

fn check_counter_place(counter: &Resource, offset: u64) -> Checked<()> {
    const ALIGNMENT: u64 = limits::UAV_COUNTER_PLACEMENT_ALIGNMENT;
    let desc = &counter.inner.desc;
    if !desc.is_buffer() || !desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS) {
        return Err(rules::COUNTER_RESOURCE.violated(
            "pCounterResource",
            format_args!("a {} with flags {}", desc.dimension, desc.flags),
            "a BUFFER with ALLOW_UNORDERED_ACCESS",
        ));
    }
    let is_within = offset.checked_add(COUNTER_SIZE).is_some_and(|end| end <= desc.width);
    if !offset.is_multiple_of(ALIGNMENT) || !is_within {
        return Err(rules::COUNTER_OFFSET.violated(
            "CounterOffsetInBytes",
            offset,
            format_args!("multiples of {ALIGNMENT}, {COUNTER_SIZE} bytes before the end of {}", desc.width),
        ));
    }
    Ok(())
}

/// A constant buffer view that is no null descriptor: also that its memory exists.
pub(crate) fn check_constant_buffer(desc: &ConstantBufferViewDesc, device: &DeviceInner) -> Checked<()> {
    const ALIGNMENT: u32 = limits::CONSTANT_BUFFER_ALIGNMENT;
    let (location, size) = (desc.buffer_location, desc.size_in_bytes);
    if location.0 == 0 || !location.0.is_multiple_of(u64::from(ALIGNMENT)) {
        return Err(rules::CBV_LOCATION.violated(
            "BufferLocation",
            format_args!("{:#x} with a size of {size}", location.0),
            format_args!("multiples of {ALIGNMENT}; 0 with a size of 0"),
        ));
    }
    if size == 0 || !size.is_multiple_of(ALIGNMENT) || size > limits::CONSTANT_BUFFER_SIZE_MAX {
        let allowed = format!("multiples of {ALIGNMENT} up to {}", limits::CONSTANT_BUFFER_SIZE_MAX);
        return Err(rules::CBV_SIZE.violated("SizeInBytes", size, allowed));
    }
    // Of a committed or reserved buffer; a placed one's addresses are its heap's.
    match device.addresses.reach(location) {
        Some(reach) if location.0.checked_add(u64::from(size)).is_some_and(|end| end <= reach.end) => Ok(()),
        reach => Err(beyond_reach(desc, reach)),
    }
}

#[cold]
fn beyond_reach(desc: &ConstantBufferViewDesc, reach: Option<ByteRange>) -> Box<Violation> {
    let location = desc.buffer_location.0;
    let Some(reach) = reach else {
        let given = format!("{location:#x}");
        return rules::CBV_RANGE.violated("BufferLocation", given, "addresses of buffers that exist");
    };
    rules::CBV_RANGE.violated(
        "SizeInBytes",
        format_args!("{} from byte {} on", desc.size_in_bytes, location - reach.begin),
        format_args!("to end within the {} bytes that begin at {:#x}", reach.size(), reach.begin),
    )
}
