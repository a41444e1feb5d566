//! Padding proved exhaustively, the defect without it, bounds by dwords, and the table of APIs.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use core::num::NonZeroU32;

use heapstone_layout::buffer_view::{
    AccessError, AtomicOp, BINDING_RULES, Binding, BindingApi, BindingError, Bounds, BufferAccess,
    ElementKind, OutOfBounds, PaddedSize, SurfaceElement, SurfaceError, SurfaceSize, Width, binding_rule,
    memory_requirement, surface_size,
};
use heapstone_spec::Format;

/// Whether the dword of byte `at` is in bounds of a surface, byte by byte.
fn naive_in_bounds(at: u64, surface: u64) -> bool {
    let first = at / 4 * 4;
    (first..first + 4).all(|byte| byte < surface)
}

#[test]
fn every_size_to_70000_is_recoverable_in_bounds_and_minimal() {
    for size in 0..=70_000 {
        let padded = PaddedSize::of(size).unwrap();
        assert_eq!(padded.buffer_size(), size);
        assert_eq!(PaddedSize::from_bytes(padded.bytes()), Some(padded));
        // spec/5-ssbo-ubo-padding.txt: surface_size = 2 * align_u64(buffer_size, 4) - buffer_size.
        assert_eq!(padded.bytes(), 2 * (size.div_ceil(4) * 4) - size);
        // The first and the last byte are in bounds, and no dword behind the last one is.
        if size != 0 {
            assert!(naive_in_bounds(0, padded.bytes()) && naive_in_bounds(size - 1, padded.bytes()));
        }
        assert!(!naive_in_bounds(size.next_multiple_of(4), padded.bytes()), "{size}");
        // No smaller surface has every byte in bounds and tells the size.
        for smaller in padded.bytes().saturating_sub(8)..padded.bytes() {
            let reaches = size == 0 || naive_in_bounds(size - 1, smaller);
            let tells = PaddedSize::from_bytes(smaller).is_some_and(|padded| padded.buffer_size() == size);
            assert!(!(reaches && tells), "{smaller} bytes do for {size}");
        }
    }
}

#[test]
fn sizes_at_the_end_of_numbers_have_an_answer() {
    assert_eq!(PaddedSize::of((1 << 32) + 1).map(PaddedSize::bytes), Some((1 << 32) + 7));
    assert_eq!(PaddedSize::of(u64::MAX - 3).map(PaddedSize::buffer_size), Some(u64::MAX - 3));
    for size in u64::MAX - 2..=u64::MAX {
        assert_eq!(PaddedSize::of(size), None);
    }
    for bytes in 1..4 {
        assert_eq!(PaddedSize::from_bytes(bytes), None, "no buffer has it");
    }
}

/// Two buffers never have one padded size: what is recovered is not a guess.
#[test]
fn padded_sizes_are_all_different() {
    let mut seen = std::collections::BTreeSet::new();
    assert!((0..=70_000).all(|size| seen.insert(PaddedSize::of(size).unwrap())));
}

fn filled(bytes: usize) -> Vec<u8> {
    (1..=u8::try_from(bytes).unwrap()).collect()
}

/// spec/5-ssbo-ubo-padding.txt: "buffers with 1/3 16-bit elements has size 2 or 6 and the last two bytes would always be
/// read as 0 or its writting ignored"; and five elements.
#[test]
fn the_last_16_bit_element_is_lost_without_padding_and_found_with_it() {
    for (elements, padded_size) in [(1, 6), (3, 10), (5, 14)] {
        let size = 2 * elements;
        // Whole dwords, as robust access asks of memory.
        let mut memory = filled(usize::try_from(size + 2).unwrap());
        let last = size - 2;
        let expected = (last + 1) | (last + 2) << 8;
        let mut view = BufferAccess::unpadded(&mut memory, size, ElementKind::Raw);
        assert_eq!(view.load(last, 0, Width::Bits16), Ok(0), "read as 0");
        view.store(last, 0, Width::Bits16, 0xbeef).unwrap();
        assert_eq!(memory, filled(memory.len()), "not written");

        let mut view = BufferAccess::padded(&mut memory, size, ElementKind::Raw).unwrap();
        assert_eq!(view.surface_size(), padded_size);
        assert_eq!(view.array_length(0, 2), Some(elements));
        assert_eq!(view.load(last, 0, Width::Bits16), Ok(expected));
        view.store(last, 0, Width::Bits16, 0xbeef).unwrap();
        assert_eq!(view.load(last, 0, Width::Bits16), Ok(0xbeef));
        // The next element is in bounds of the dword, and not of the array: a shader that asks for the length knows.
        assert_eq!(view.load(size + 2, 0, Width::Bits16), Ok(0));
        assert_eq!(
            memory[usize::try_from(size).unwrap()..],
            filled(memory.len())[usize::try_from(size).unwrap()..]
        );
    }
}

/// Without padding a surface of 10 bytes is no whole number of dwords and says nothing true of the length: 8 - 2.
#[test]
fn lengths_are_wrong_without_padding() {
    let mut memory = vec![0; 12];
    let view = BufferAccess::unpadded(&mut memory, 10, ElementKind::Raw);
    assert_eq!(view.array_length(0, 2), Some(3));
    let view = BufferAccess::padded(&mut memory, 10, ElementKind::Raw).unwrap();
    assert_eq!(
        (view.array_length(0, 2), view.array_length(4, 2), view.array_length(0, 4)),
        (Some(5), Some(3), Some(2))
    );
    assert_eq!((view.array_length(12, 2), view.array_length(0, 0)), (Some(0), None));
}

/// Every width at every offset of every size to 40, against bounds that are asked of each byte.
#[test]
fn loads_and_stores_agree_with_bytes() {
    for size in 0..=40_u64 {
        for is_padded in [false, true] {
            let mut memory = filled(48);
            for width in Width::ALL {
                for offset in (0..48).step_by(usize::try_from(width.bytes()).unwrap()) {
                    let mut view = if is_padded {
                        BufferAccess::padded(&mut memory, size, ElementKind::Raw).unwrap()
                    } else {
                        BufferAccess::unpadded(&mut memory, size, ElementKind::Raw)
                    };
                    let surface = view.surface_size();
                    let mut expected = 0;
                    for byte in (0..width.bytes()).rev() {
                        let at = offset + byte;
                        expected = expected << 8 | if naive_in_bounds(at, surface) { at + 1 } else { 0 };
                    }
                    assert_eq!(view.load(offset, 0, width), Ok(expected), "{size} {offset} {width:?}");
                    view.store(offset, 0, width, !expected).unwrap();
                    let stored = view.load(offset, 0, width).unwrap();
                    for byte in 0..width.bytes() {
                        let is_in = naive_in_bounds(offset + byte, surface);
                        let wanted = if is_in { !(expected >> (8 * byte)) & 0xff } else { 0 };
                        assert_eq!(stored >> (8 * byte) & 0xff, wanted);
                    }
                    view.store(offset, 0, width, expected).unwrap();
                }
            }
            assert_eq!(memory, filled(48), "what is out of bounds is not written");
        }
    }
}

#[test]
fn atomics_are_done_or_not_at_all() {
    let mut memory = vec![0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 9, 9];
    let mut view = BufferAccess::unpadded(&mut memory, 10, ElementKind::Raw);
    let add = |view: &mut BufferAccess<'_>, at, width| view.atomic(at, 0, width, AtomicOp::Add, 1);
    assert_eq!(add(&mut view, 0, Width::Bits32), Ok(0xffff_ffff));
    assert_eq!(view.load(0, 0, Width::Bits64), Ok(1 << 32), "it wraps at 32 bits");
    assert_eq!(add(&mut view, 0, Width::Bits64), Ok(1 << 32));
    assert_eq!(add(&mut view, 8, Width::Bits32), Ok(0), "its dword is out");
    assert_eq!(add(&mut view, 8, Width::Bits64), Ok(0));
    assert_eq!(add(&mut view, 0, Width::Bits16), Err(AccessError::AtomicWidth { bytes: 2 }));
    let mut apply = |op, operand| {
        view.store(0, 0, Width::Bits32, 12).unwrap();
        assert_eq!(view.atomic(0, 0, Width::Bits32, op, operand), Ok(12));
        view.load(0, 0, Width::Bits32).unwrap()
    };
    let results = [
        (AtomicOp::And, 10, 8),
        (AtomicOp::Or, 3, 15),
        (AtomicOp::Xor, 10, 6),
        (AtomicOp::Min, 7, 7),
        (AtomicOp::Min, 13, 12),
        (AtomicOp::Max, 13, 13),
        (AtomicOp::Max, 7, 12),
        (AtomicOp::Exchange, 0x1_0000_0005, 5),
        (AtomicOp::CompareExchange { expected: 12 }, 99, 99),
        (AtomicOp::CompareExchange { expected: 11 }, 99, 12),
    ];
    for (op, operand, wanted) in results {
        assert_eq!(apply(op, operand), wanted, "{op:?}");
    }
    assert_eq!(memory[8..], [9, 9]);
}

#[test]
fn structures_and_texels_have_bounds_of_their_own() {
    let mut memory = filled(24);
    let view = BufferAccess::unpadded(&mut memory, 20, ElementKind::Structured { stride: 8 });
    assert_eq!(view.load(1, 4, Width::Bits32), Ok(0x100f_0e0d));
    assert_eq!(view.load(0, 8, Width::Bits32), Ok(0), "it lies in the next structure");
    assert_eq!(view.load(2, 0, Width::Bits64), Ok(0x1413_1211), "the first half is there");
    assert_eq!(view.load(u64::MAX, 0, Width::Bits32), Ok(0));
    let view = BufferAccess::unpadded(&mut memory, 20, ElementKind::Typed { size: 8 });
    assert_eq!(view.load(2, 0, Width::Bits32), Ok(0), "half a texel is none");
    assert_eq!(view.load(1, 0, Width::Bits64), Ok(0x100f_0e0d_0c0b_0a09));
}

#[test]
fn what_has_no_answer_is_an_error() {
    let mut memory = filled(10);
    let view = BufferAccess::padded(&mut memory, 10, ElementKind::Raw).unwrap();
    let beyond = Err(AccessError::BeyondMemory { offset: 8, memory: 10 });
    assert_eq!(view.load(8, 0, Width::Bits32), beyond, "the memory was not rounded up");
    assert_eq!(view.load(8, 0, Width::Bits16), Ok(0x0a09));
    assert_eq!(view.load(3, 0, Width::Bits16), Err(AccessError::Misaligned { offset: 3, bytes: 2 }));
    let mut view = view.with_bounds(Bounds::Unchecked);
    assert_eq!(view.load(8, 0, Width::Bits16), Ok(0x0a09));
    let undefined = AccessError::Undefined { offset: 10, size: 10 };
    assert_eq!(view.load(10, 0, Width::Bits16), Err(undefined));
    assert_eq!(view.store(8, 0, Width::Bits64, 0), Err(AccessError::Undefined { offset: 8, size: 10 }));
    assert_eq!(undefined.to_string(), "access.bounds: offset is 10, unchecked; allowed: below 10");
    assert_eq!(memory, filled(10));
}

#[test]
fn surfaces_are_padded_where_the_text_says() {
    let typed = |format, stride| SurfaceElement::Typed { format, stride: NonZeroU32::new(stride).unwrap() };
    let padded = SurfaceSize { bytes: 14, element_count: 14, is_padded: true };
    assert_eq!(surface_size(10, SurfaceElement::Raw), Ok(padded));
    assert_eq!(surface_size(10, typed(Format::R32G32B32A32_FLOAT, 1)), Ok(padded));
    let whole = SurfaceSize { bytes: 10, element_count: 2, is_padded: false };
    assert_eq!(surface_size(10, typed(Format::R32_FLOAT, 4)), Ok(whole));
    // A stride of 1 that is the format's own size pads nothing.
    let bytes = SurfaceSize { bytes: 10, element_count: 10, is_padded: false };
    assert_eq!(surface_size(10, typed(Format::R8_UINT, 1)), Ok(bytes));
    let refused = surface_size(10, typed(Format::R32_FLOAT, 2));
    assert_eq!(refused, Err(SurfaceError::Stride { format_bytes: 4, stride: 2 }));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "buffer_view.stride: stride is 2, of a format of 4 bytes; allowed: 1, or 4 and more"
    );
    assert_eq!(surface_size(u64::MAX, SurfaceElement::Raw), Err(SurfaceError::TooLarge { size: u64::MAX }));
    assert_eq!(memory_requirement(10, true, true), Some(12));
    assert_eq!(memory_requirement(10, true, false), Some(10));
    assert_eq!(memory_requirement(10, false, true), Some(10));
    assert_eq!(memory_requirement(u64::MAX, true, true), None);
}

#[test]
fn the_table_has_a_row_for_each_api_and_binding() {
    assert_eq!(BINDING_RULES.len(), 2 * BindingApi::ALL.len());
    for api in BindingApi::ALL {
        for binding in [Binding::Uniform, Binding::Storage] {
            let rule = binding_rule(api, binding);
            assert!(rule.offset_alignment.is_power_of_two() && rule.size_multiple.is_power_of_two(), "{api}");
        }
    }
    // facts/buffer-views.md: multiples of 256; raw views 16-byte offsets.
    let constants = binding_rule(BindingApi::D3D12, Binding::Uniform);
    assert_eq!(constants.check(256, 512, 768), Ok(()));
    assert_eq!(constants.check(128, 512, 768), Err(BindingError::Offset { offset: 128, multiple: 256 }));
    assert_eq!(constants.check(0, 300, 768), Err(BindingError::Size { size: 300, multiple: 256 }));
    assert_eq!(constants.check(0, 0, 768), Err(BindingError::Size { size: 0, multiple: 256 }));
    assert_eq!(
        constants.check(0, 65_792, 1 << 20),
        Err(BindingError::TooLarge { size: 65_792, allowed: 65_536 })
    );
    let raw = binding_rule(BindingApi::D3D12, Binding::Storage);
    assert_eq!(raw.check(8, 4, 64), Err(BindingError::Offset { offset: 8, multiple: 16 }));
    assert_eq!(raw.check(48, 20, 64), Err(BindingError::Range { offset: 48, size: 20, buffer: 64 }));
    let last = u64::MAX - 15;
    assert!(matches!(raw.check(last, 16, u64::MAX), Err(BindingError::Range { .. })));
    // WebGPU: storage bindings are whole dwords.
    let storage = binding_rule(BindingApi::WebGpu, Binding::Storage);
    assert_eq!(
        storage.check(0, 10, 10).unwrap_err().to_string(),
        "binding.size: size is 10; allowed: multiples of 4, at least 4"
    );
    // Vulkan: robustStorageBufferAccessSizeAlignment is 1 or 4, that of uniform buffers at most 256.
    let robust = |binding| binding_rule(BindingApi::VulkanRobust2, binding);
    assert_eq!(robust(Binding::Storage).checked_range(10), Some(12));
    assert_eq!(robust(Binding::Uniform).checked_range(10), Some(256));
    assert_eq!(robust(Binding::Storage).out_of_bounds, OutOfBounds::Zero);
    assert_eq!(robust(Binding::Uniform).checked_range(u64::MAX), None);
}
