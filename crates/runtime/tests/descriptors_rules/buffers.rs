//! Views of buffers, counters, constants.

use heapstone::spec::message;
use heapstone::spec::rules::view as rules;
use heapstone::spec::views::*;
use heapstone::*;

use crate::bench::*;
use crate::common::*;

pub(crate) fn buffers(broken: &mut Broken) {
    let bench = Bench::new();
    let buffer = bench.buffer(1000);
    let srv = |format, dimension| bench.srv(Some(&buffer), format, dimension);
    let unknown = BufferViewFlags::from_bits_retain(2);
    let flags = srv(Format::UNKNOWN, elements(0, 1, 0, unknown));
    broken.by(&rules::BUFFER_FLAGS, SRV_DESC, flags, ["0x2", "RAW"]);
    let flags = bench.uav(Some(&buffer), Format::UNKNOWN, structures(0, 0, unknown));
    let uav_flags = Some(message::CREATEUNORDEREDACCESSVIEW_INVALIDFLAGS);
    broken.by(&rules::BUFFER_FLAGS, uav_flags, flags, ["0x2", "RAW"]);

    for format in [Format::UNKNOWN, Format::R32_TYPELESS, Format::BC1_UNORM, Format::D32_FLOAT, Format::NV12]
    {
        broken.by(&rules::BUFFER_FORMAT, SRV_FORMAT, srv(format, typed(0, 1)), [format.name(), "stride"]);
        let null = bench.srv(None, format, typed(0, 1));
        broken.by(&rules::BUFFER_FORMAT, SRV_FORMAT, null, [format.name(), "stride"]);
    }
    let plain = BufferViewFlags::empty();
    for stride in [2, 6, 2049, 2052, u32::MAX] {
        let refused = srv(Format::UNKNOWN, elements(0, 1, stride, plain));
        broken.by(&rules::BUFFER_STRUCTURED, SRV_DESC, refused, [&stride.to_string(), "of 4 up to 2048"]);
    }
    let formatted = srv(Format::R32_UINT, elements(0, 1, 4, plain));
    broken.by(&rules::BUFFER_STRUCTURED, SRV_FORMAT, formatted, ["R32_UINT", "UNKNOWN"]);
    srv(Format::UNKNOWN, elements(0, 1, 12, plain)).unwrap();

    let raw = srv(Format::R32_UINT, elements(0, 1, 0, RAW));
    broken.by(&rules::BUFFER_RAW, SRV_FORMAT, raw, ["R32_UINT", "R32_TYPELESS"]);
    let raw = srv(Format::R32_TYPELESS, elements(0, 1, 4, RAW));
    broken.by(&rules::BUFFER_RAW, SRV_DESC, raw, ["4", "0"]);
    let raw = srv(Format::R32_TYPELESS, elements(3, 1, 0, RAW));
    broken.by(&rules::BUFFER_RAW_OFFSET, SRV_DESC, raw, ["3, at byte 12", "multiples of 16"]);
    srv(Format::R32_TYPELESS, elements(4, 246, 0, RAW)).unwrap();
    raw_addresses(broken);

    let none = srv(Format::R32_UINT, typed(0, 0));
    broken.by(&rules::BUFFER_ELEMENTS, SRV_DESC, none, ["0", "1 to 134217728"]);
    let large = bench.buffer(1 << 30);
    bench.srv(Some(&large), Format::R8_UINT, typed(0, 1 << 27)).unwrap();
    let many = bench.srv(Some(&large), Format::R8_UINT, typed(0, (1 << 27) + 1));
    broken.by(&rules::BUFFER_ELEMENTS, SRV_DESC, many, ["134217729", "134217728"]);
    bench.srv(Some(&large), Format::R32_TYPELESS, elements(0, 1 << 28, 0, RAW)).unwrap();

    // 1000 bytes are 250 dwords and 83 structures of 12.
    srv(Format::R32_UINT, typed(249, 1)).unwrap();
    for (format, dimension, given, allowed) in [
        (Format::R32_UINT, typed(0, 251), "(0 + 251) x 4 = 1004", "1000 bytes, 250 elements"),
        (Format::R32_UINT, typed(250, 1), "(250 + 1) x 4 = 1004", "1000"),
        (Format::R32G32B32_FLOAT, typed(83, 1), "(83 + 1) x 12 = 1008", "83 elements"),
        (Format::UNKNOWN, elements(0, 84, 12, plain), "(0 + 84) x 12 = 1008", "83 elements"),
        (Format::R32_TYPELESS, elements(0, 251, 0, RAW), "(0 + 251) x 4", "250 elements"),
        (Format::R32_UINT, typed(u64::MAX, 1), "beyond 64 bits", "1000"),
        (Format::R32_UINT, typed(1 << 62, 1), "beyond 64 bits", "1000"),
        (Format::R32_UINT, typed(1 << 61, 1), "9223372036854775812", "1000"),
    ] {
        broken.by(&rules::BUFFER_RANGE, SRV_DIMENSIONS, srv(format, dimension), [given, allowed]);
    }
    let target = ResourceDesc::buffer(64).with_flags(ResourceFlags::ALLOW_RENDER_TARGET);
    let target = bench.commit(target);
    let view = RtvDimension::Buffer { first_element: 0, element_count: 4 };
    bench.rtv(Some(&target), Format::R32G32B32A32_FLOAT, view).unwrap();
    let three = bench.rtv(Some(&target), Format::R32G32B32_FLOAT, view);
    let unsupported = Some(message::CREATERENDERTARGETVIEW_UNSUPPORTEDFORMAT);
    broken.by(&rules::FORMAT_USE, unsupported, three, ["R32G32B32_FLOAT", "rendered"]);
}

/// A buffer that is aligned to 8 bytes only: its first byte is no place for a raw view.
pub(crate) fn raw_addresses(broken: &mut Broken) {
    let bench = Bench::on(device("cache-coherent-uma"));
    let heap = bench.device.create_heap(&HeapDesc::new(MIB, HeapType::Default)).unwrap();
    let place = |offset| {
        bench
            .device
            .create_placed_resource(&heap, offset, &PlacedResourceDesc::new(tight_buffer(64)))
            .unwrap()
    };
    let raw = |buffer: &Resource| bench.srv(Some(buffer), Format::R32_TYPELESS, elements(0, 4, 0, RAW));
    raw(&place(16)).unwrap();
    let message = Some(message::CREATESHADERRESOURCEVIEW_INVALIDRESOURCE);
    broken.by(&rules::BUFFER_RAW_OFFSET, message, raw(&place(24)), ["a buffer at 0x", "multiples of 16"]);
}

pub(crate) fn counters(broken: &mut Broken) {
    let bench = Bench::new();
    let (buffer, counter) = (bench.buffer(1000), bench.buffer(8196));
    let plain = BufferViewFlags::empty();
    let view =
        |offset| bench.counted(Some(&buffer), Some(&counter), Format::UNKNOWN, structures(4, offset, plain));
    view(0).unwrap();
    view(8192).unwrap();
    let alone = bench.uav(Some(&buffer), Format::UNKNOWN, structures(4, 4096, plain));
    broken.by(&rules::COUNTER_MISSING, COUNTER, alone, ["4096", "0"]);
    for offset in [4, 2048, 12288, u64::MAX, u64::MAX - 4095] {
        broken.by(&rules::COUNTER_OFFSET, COUNTER, view(offset), [&offset.to_string(), "multiples of 4096"]);
    }
    let null = bench.counted(None, Some(&counter), Format::UNKNOWN, structures(4, 0, plain));
    broken.by(&rules::COUNTER_VIEW, COUNTER, null, ["NULL resource", "structured"]);
    let at = bench.views.cpu_start();
    let undescribed = bench.device.create_unordered_access_view(Some(&buffer), Some(&counter), None, at);
    broken.by(&rules::COUNTER_VIEW, COUNTER, undescribed, ["NULL description", "structured"]);
    let typed = bench.counted(Some(&buffer), Some(&counter), Format::R32_UINT, structures(0, 0, plain));
    broken.by(&rules::COUNTER_VIEW, COUNTER, typed, ["without a stride", "structured"]);
    let texture = bench.written(Format::R32_UINT);
    let textured = bench.counted(Some(&texture), Some(&counter), Format::UNKNOWN, UAV_2D);
    broken.by(&rules::COUNTER_VIEW, COUNTER, textured, ["texture", "structured"]);
    for (counter, given) in [
        (bench.commit(ResourceDesc::buffer(64)), "BUFFER with flags NONE"),
        (bench.written(Format::R32_UINT), "TEXTURE2D"),
    ] {
        let wrong = bench.counted(Some(&buffer), Some(&counter), Format::UNKNOWN, structures(4, 0, plain));
        broken.by(&rules::COUNTER_RESOURCE, COUNTER, wrong, [given, "ALLOW_UNORDERED_ACCESS"]);
    }
    let foreign = Bench::new().buffer(64);
    let other = bench.counted(Some(&buffer), Some(&foreign), Format::UNKNOWN, structures(4, 0, plain));
    broken.by(&rules::RESOURCE_DEVICE, None, other, ["another", "this"]);
}

pub(crate) fn constants(broken: &mut Broken) {
    let bench = Bench::new();
    let buffer = bench.commit(ResourceDesc::buffer(1000));
    let address = buffer.gpu_virtual_address().0;
    let desc = Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_DESC);
    let resource = Some(message::CREATE_CONSTANT_BUFFER_VIEW_INVALID_RESOURCE);
    bench.cbv(address, 256).unwrap();
    bench.cbv(address + 256, 512).unwrap();
    bench.cbv(0, 0).unwrap();
    for location in [address + 128, address + 1] {
        let given = format!("{location:#x}");
        broken.by(&rules::CBV_LOCATION, desc, bench.cbv(location, 256), [&given, "multiples of 256"]);
    }
    broken.by(&rules::CBV_LOCATION, desc, bench.cbv(0, 256), ["0x0 with a size of 256", "multiples of 256"]);
    for size in [0, 255, 257, 65_792, u32::MAX] {
        let refused = bench.cbv(address, size);
        broken.by(&rules::CBV_SIZE, desc, refused, [&size.to_string(), "of 256 up to 65536"]);
    }
    // 1000 bytes are three times 256 and a rest.
    broken.by(&rules::CBV_RANGE, resource, bench.cbv(address, 1024), ["1024 from byte 0", "1000 bytes"]);
    broken.by(&rules::CBV_RANGE, resource, bench.cbv(address + 768, 256), ["256 from byte 768", "1000"]);
    drop(buffer);
    let gone = bench.cbv(address, 256);
    broken.by(&rules::CBV_RANGE, resource, gone, [&format!("{address:#x}"), "buffers that exist"]);
    let heap = bench.device.create_heap(&HeapDesc::new(65_536, HeapType::Default)).unwrap();
    let address = heap.gpu_virtual_address().0;
    bench.cbv(address, 65_536).unwrap();
    let past = bench.cbv(address + 256, 65_536);
    broken.by(&rules::CBV_RANGE, resource, past, ["65536 from byte 256", "65536 bytes"]);
}
