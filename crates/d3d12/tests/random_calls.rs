//! 10,000 random calls, most of them wrong: no crash, outputs as promised, and all counts right at the end.

#![allow(
    clippy::undocumented_unsafe_blocks,
    clippy::multiple_unsafe_ops_per_block,
    reason = "a client calls methods of objects that it holds"
)]

mod common;

use core::ffi::c_void;
use core::ptr;

use common::*;
use d3d12::types::*;
use d3d12::vtables::*;

/// xorshift64*: the same run each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn word(&mut self) -> u32 {
        let numbers = [0, 1, 2, 3, 4, 5, 28, 0x400, 0xac3, u32::MAX];
        numbers[usize::try_from(self.below(10)).expect("below 10")]
    }

    fn size(&mut self) -> u64 {
        let sizes = [0, 1, 255, 4096, 65_536, 1 << 20, 1 << 32, 1 << 63, u64::MAX];
        sizes[usize::try_from(self.below(9)).expect("below 9")]
    }
}

fn random_desc(random: &mut Random) -> D3D12_RESOURCE_DESC {
    let mut desc = if random.below(2) == 0 { buffer(random.size()) } else { texture(64, 64, 1, RGBA8) };
    match random.below(8) {
        0 => desc.Dimension = random.word(),
        1 => desc.Alignment = random.size(),
        2 => desc.Format = random.word(),
        3 => desc.Flags = random.word(),
        4 => desc.Layout = random.word(),
        5 => desc.SampleDesc.Count = random.word(),
        _ => {}
    }
    desc
}

#[test]
fn ten_thousand_random_calls() {
    let device = device();
    let gpu = Gpu::new(&device, 0);
    let mut random = Random(0x1234_5678);
    let mut objects: Vec<Com<()>> = Vec::new();
    let iids = [IID_ID3D12Heap, IID_ID3D12Resource, IID_IUnknown, IID_ID3D12Device, IID_ID3D12Fence];
    for _ in 0..10_000 {
        let any = if objects.is_empty() || random.below(4) == 0 {
            [ptr::null_mut(), device.0, gpu.fence.0][usize::try_from(random.below(3)).expect("below 3")]
        } else {
            let count = u64::try_from(objects.len()).expect("a count");
            objects[usize::try_from(random.below(count)).expect("an index")].0
        };
        let iid = iids[usize::try_from(random.below(5)).expect("below 5")];
        let mut out: *mut c_void = ptr::dangling_mut();
        let v = device.v();
        let created = unsafe {
            match random.below(14) {
                0 => {
                    let mut desc = heap_desc(random.size(), random.word());
                    desc.Flags = random.word();
                    Some((v.CreateHeap)(device.0, &desc, &iid, &mut out))
                }
                1 => {
                    let (desc, state) = (random_desc(&mut random), random.word());
                    let offset = random.size();
                    Some((v.CreatePlacedResource)(
                        device.0,
                        any,
                        offset,
                        &desc,
                        state,
                        ptr::null(),
                        &iid,
                        &mut out,
                    ))
                }
                2 => {
                    let properties = heap_desc(0, random.word()).Properties;
                    let (desc, flags, state) = (random_desc(&mut random), random.word(), random.word());
                    let create = v.CreateCommittedResource;
                    Some(create(device.0, &properties, flags, &desc, state, ptr::null(), &iid, &mut out))
                }
                3 => {
                    let (desc, state) = (random_desc(&mut random), random.word());
                    Some((v.CreateReservedResource)(device.0, &desc, state, ptr::null(), &iid, &mut out))
                }
                4 => Some((v.CreateFence)(device.0, random.next(), random.word(), &iid, &mut out)),
                5 => Some((v.CreateCommandAllocator)(device.0, random.word(), &iid, &mut out)),
                6 => {
                    (gpu.list.v().CopyBufferRegion)(gpu.list.0, any, random.size(), any, 0, random.size());
                    None
                }
                7 => {
                    let mut barrier = D3D12_RESOURCE_BARRIER::zeroed();
                    barrier.Type = random.word();
                    barrier.u.Aliasing =
                        D3D12_RESOURCE_ALIASING_BARRIER { pResourceBefore: any, pResourceAfter: any };
                    (gpu.list.v().ResourceBarrier)(gpu.list.0, 1, &barrier);
                    None
                }
                8 => {
                    if gpu.close() != S_OK || random.below(2) == 0 {
                        let _ = gpu.reset();
                    }
                    None
                }
                9 => {
                    let mut data = [0_u32; 64];
                    let (feature, size) = (u32::try_from(random.below(60)).expect("small"), random.below(64));
                    let size = u32::try_from(size).expect("small");
                    let _ = (v.CheckFeatureSupport)(device.0, feature, data.as_mut_ptr().cast(), size);
                    None
                }
                10 => {
                    let (objects, value) = ([any], random.word());
                    let _ = (v.MakeResident)(device.0, 1, objects.as_ptr());
                    let _ = (v.SetResidencyPriority)(device.0, 1, objects.as_ptr(), &value);
                    let _ = (v.Evict)(device.0, 1, objects.as_ptr());
                    None
                }
                11 => {
                    let at =
                        D3D12_CPU_DESCRIPTOR_HANDLE { ptr: usize::try_from(random.size()).expect("64 bits") };
                    (v.CreateRenderTargetView)(device.0, any, ptr::null(), at);
                    (v.CreateConstantBufferView)(device.0, ptr::null(), at);
                    None
                }
                12 => {
                    let desc = random_desc(&mut random);
                    let mut total = 0;
                    let footprints = v.GetCopyableFootprints;
                    let (first, offset) = (random.word(), random.size());
                    let null = ptr::null_mut();
                    footprints(
                        device.0,
                        &desc,
                        first,
                        1,
                        offset,
                        ptr::null_mut(),
                        ptr::null_mut(),
                        null,
                        &mut total,
                    );
                    None
                }
                _ => {
                    if !objects.is_empty() {
                        objects.swap_remove(0);
                    }
                    None
                }
            }
        };
        match created {
            Some(S_OK) => objects.push(Com::new(out)),
            Some(error) => {
                assert!(!error.is_ok(), "{error:?}");
                assert!(out.is_null(), "a call that fails sets its output to NULL: {error:?}");
            }
            None => {}
        }
        if objects.len() > 32 {
            objects.swap_remove(0);
        }
    }
    assert_eq!(unsafe { (device.v().GetDeviceRemovedReason)(device.0) }, S_OK);
    let children =
        u32::try_from(objects.iter().filter(|object| object.0 != device.0).count()).expect("a few");
    // Its own reference, the four objects of `gpu`, and one for each that is left.
    assert_eq!(device.count(), 1 + 4 + children);
    for object in &objects {
        assert!(object.count() >= 1);
    }
}
