//! ID3D12CommandQueue 0 and 1.

use core::ffi::c_void;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicU32, Ordering};

use heapstone::UpdateTileMappingsDesc;
use heapstone::spec::tiles::{TileMappingFlags, TileRangeFlags, TileRegionSize, TiledResourceCoordinate};

use crate::com::{Held, Object, class, deliver, faces, from_client};
use crate::convert::{self, size};
use crate::device::Device;
use crate::failure::{Failure, Unknown};
use crate::fence::Fence;
use crate::heap::Heap;
use crate::list::GraphicsCommandList;
use crate::states::{self, Asserted, Of, States};
use crate::types::{
    BOOL, D3D12_COMMAND_QUEUE_DESC, D3D12_TILE_RANGE_FLAGS, D3D12_TILE_REGION_SIZE,
    D3D12_TILED_RESOURCE_COORDINATE, E_POINTER, GUID, HRESULT,
};
use crate::vtables::{ID3D12CommandQueue1, ID3D12DebugCommandQueue1, ID3D12SharingContract};

/// A command queue.
pub struct CommandQueue {
    /// The library's.
    pub runtime: heapstone::CommandQueue,
    desc: D3D12_COMMAND_QUEUE_DESC,
    process_priority: AtomicU32,
    global_priority: AtomicU32,
}

class!(CommandQueue, ID3D12CommandQueue1Vtbl, "ID3D12CommandQueue", {
    fn face(this: &Object<CommandQueue>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(CommandQueue, this, iid, [ID3D12DebugCommandQueue1Vtbl, ID3D12SharingContractVtbl])
    }

    fn renamed(this: &Object<CommandQueue>, name: &str) {
        this.runtime.set_name(name);
    }
});

/// D3D12_COMMAND_QUEUE_PROCESS_PRIORITY_NORMAL, and D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY_NORMAL_0.
const NORMAL: (u32, u32) = (0, 16);

/// ID3D12Device::CreateCommandQueue, ID3D12Device9::CreateCommandQueue1.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    desc: *const D3D12_COMMAND_QUEUE_DESC,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<CommandQueue>, Failure> {
        // SAFETY: the pointer is the client's.
        let given = unsafe { desc.as_ref() }.ok_or(Failure::Argument("pDesc is NULL"))?;
        let runtime = this.runtime.create_command_queue(&convert::queue_desc(given)?)?;
        let node_mask = if given.NodeMask == 0 { 1 } else { given.NodeMask };
        let queue = CommandQueue {
            runtime,
            // As created, with the node filled in.
            desc: D3D12_COMMAND_QUEUE_DESC { NodeMask: node_mask, ..*given },
            process_priority: AtomicU32::new(NORMAL.0),
            global_priority: AtomicU32::new(NORMAL.1),
        };
        Ok(Object::create(queue, Some(this), this.convention()))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

impl ID3D12CommandQueue1 for CommandQueue {
    unsafe fn UpdateTileMappings(
        this: &Object<Self>,
        resource: *mut c_void,
        region_count: u32,
        starts: *const D3D12_TILED_RESOURCE_COORDINATE,
        sizes: *const D3D12_TILE_REGION_SIZE,
        heap: *mut c_void,
        range_count: u32,
        range_flags: *const D3D12_TILE_RANGE_FLAGS,
        range_offsets: *const u32,
        range_tile_counts: *const u32,
        flags: u32,
    ) {
        let _ = this.device().done(|| {
            // SAFETY: the arguments are the client's.
            unsafe {
                let resource = convert::resource(resource, "pResource is no resource")?;
                let heap = match from_client::<Heap>(heap) {
                    Some(heap) => Some(&heap.body().runtime),
                    None if heap.is_null() => None,
                    None => return Err(Failure::Argument("pHeap is no heap")),
                };
                // Where all of a kind are NULL, the library knows no count: there is one.
                let regions_are_null = starts.is_null() && sizes.is_null();
                let ranges_are_null =
                    range_flags.is_null() && range_offsets.is_null() && range_tile_counts.is_null();
                for (is_null, count, what) in [
                    (regions_are_null, region_count, "NumResourceRegions is not 1, and there are no regions"),
                    (ranges_are_null, range_count, "NumRanges is not 1, and there are no ranges"),
                ] {
                    if is_null && count != 1 {
                        return Err(Failure::Argument(what));
                    }
                }
                let starts: Option<Vec<TiledResourceCoordinate>> = optional(starts, region_count)
                    .map(|all| all.iter().map(convert::tile_coordinate).collect());
                let sizes: Option<Vec<TileRegionSize>> = optional(sizes, region_count)
                    .map(|all| all.iter().map(convert::tile_region_size).collect());
                let range_flags: Option<Vec<TileRangeFlags>> = optional(range_flags, range_count)
                    .map(|all| all.iter().map(|flags| TileRangeFlags::from_bits_retain(*flags)).collect());
                let desc = UpdateTileMappingsDesc {
                    region_start_coordinates: starts.as_deref(),
                    region_sizes: sizes.as_deref(),
                    heap,
                    range_flags: range_flags.as_deref(),
                    heap_range_start_offsets: optional(range_offsets, range_count),
                    range_tile_counts: optional(range_tile_counts, range_count),
                    flags: TileMappingFlags::from_bits_retain(flags),
                };
                Ok(this.runtime.update_tile_mappings(resource, &desc)?)
            }
        });
    }

    unsafe fn CopyTileMappings(
        this: &Object<Self>,
        destination: *mut c_void,
        destination_start: *const D3D12_TILED_RESOURCE_COORDINATE,
        source: *mut c_void,
        source_start: *const D3D12_TILED_RESOURCE_COORDINATE,
        region: *const D3D12_TILE_REGION_SIZE,
        flags: u32,
    ) {
        let _ = this.device().done(|| {
            // SAFETY: the arguments are the client's.
            unsafe {
                let destination = convert::resource(destination, "pDstResource is no resource")?;
                let source = convert::resource(source, "pSrcResource is no resource")?;
                let null = Failure::Argument("a coordinate or the region size is NULL");
                let (Some(destination_start), Some(source_start), Some(region)) =
                    (destination_start.as_ref(), source_start.as_ref(), region.as_ref())
                else {
                    return Err(null);
                };
                Ok(this.runtime.copy_tile_mappings(
                    destination,
                    &convert::tile_coordinate(destination_start),
                    source,
                    &convert::tile_coordinate(source_start),
                    &convert::tile_region_size(region),
                    TileMappingFlags::from_bits_retain(flags),
                )?)
            }
        });
    }

    unsafe fn ExecuteCommandLists(this: &Object<Self>, count: u32, lists: *const *mut c_void) {
        let _ = this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let given = unsafe { convert::slice(lists, count, "ppCommandLists is NULL") }?;
            let objects = given.iter().map(|list| {
                // SAFETY: the pointers are the client's.
                unsafe { from_client::<GraphicsCommandList>(*list) }
                    .ok_or(Failure::Argument("ppCommandLists holds no command list"))
            });
            let objects: Vec<&Object<GraphicsCommandList>> = objects.collect::<Result<_, _>>()?;
            crate::list::with_all(&objects, |lists| Ok(this.runtime.execute_command_lists(lists)?))
        });
    }

    unsafe fn SetMarker(_this: &Object<Self>, _metadata: u32, _data: *const c_void, _size: u32) {}

    unsafe fn BeginEvent(_this: &Object<Self>, _metadata: u32, _data: *const c_void, _size: u32) {}

    unsafe fn EndEvent(_this: &Object<Self>) {}

    unsafe fn Signal(this: &Object<Self>, fence: *mut c_void, value: u64) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let fence =
                unsafe { from_client::<Fence>(fence) }.ok_or(Failure::Argument("pFence is no fence"))?;
            Ok(this.runtime.signal(&fence.runtime, value)?)
        })
    }

    unsafe fn Wait(this: &Object<Self>, fence: *mut c_void, value: u64) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let fence =
                unsafe { from_client::<Fence>(fence) }.ok_or(Failure::Argument("pFence is no fence"))?;
            Ok(this.runtime.wait(&fence.runtime, value)?)
        })
    }

    unsafe fn GetTimestampFrequency(this: &Object<Self>, frequency: *mut u64) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointer is the client's.
            let place = unsafe { frequency.as_mut() }.ok_or(Failure::Code(E_POINTER))?;
            *place = this.runtime.timestamp_frequency();
            Ok(())
        })
    }

    /// Both clocks are the simulated one: no clock of the machine is read (chosen, so that runs are the same).
    unsafe fn GetClockCalibration(this: &Object<Self>, gpu: *mut u64, cpu: *mut u64) -> HRESULT {
        this.device().done(|| {
            // SAFETY: the pointers are the client's.
            let (Some(gpu), Some(cpu)) = (unsafe { gpu.as_mut() }, unsafe { cpu.as_mut() }) else {
                return Err(Failure::Code(E_POINTER));
            };
            let now = this.runtime.timestamp();
            *gpu = now;
            *cpu = now;
            Ok(())
        })
    }

    unsafe fn GetDesc(this: &Object<Self>) -> D3D12_COMMAND_QUEUE_DESC {
        this.desc
    }

    unsafe fn SetProcessPriority(this: &Object<Self>, priority: u32) -> HRESULT {
        set(this, &this.process_priority, priority, 0..=1, "D3D12_COMMAND_QUEUE_PROCESS_PRIORITY")
    }

    unsafe fn GetProcessPriority(this: &Object<Self>, priority: *mut u32) -> HRESULT {
        // SAFETY: the pointer is the client's.
        unsafe { get(this, &this.process_priority, priority) }
    }

    unsafe fn SetGlobalPriority(this: &Object<Self>, priority: u32) -> HRESULT {
        set(this, &this.global_priority, priority, 0..=63, "D3D12_COMMAND_QUEUE_GLOBAL_PRIORITY")
    }

    unsafe fn GetGlobalPriority(this: &Object<Self>, priority: *mut u32) -> HRESULT {
        // SAFETY: the pointer is the client's.
        unsafe { get(this, &this.global_priority, priority) }
    }
}

impl ID3D12DebugCommandQueue1 for CommandQueue {
    /// As lists that were given to the device's queues leave it.
    unsafe fn AssertResourceState(
        this: &Object<Self>,
        resource: *mut c_void,
        subresource: u32,
        state: u32,
    ) -> BOOL {
        // SAFETY: the pointer is the client's.
        unsafe { assert(this, resource, subresource, Asserted::State(state)) }
    }

    unsafe fn AssertResourceAccess(
        this: &Object<Self>,
        resource: *mut c_void,
        subresource: u32,
        access: u32,
    ) {
        // SAFETY: the pointer is the client's.
        let _ = unsafe { assert(this, resource, subresource, Asserted::Access(access)) };
    }

    unsafe fn AssertTextureLayout(this: &Object<Self>, resource: *mut c_void, subresource: u32, layout: u32) {
        // SAFETY: the pointer is the client's.
        let _ = unsafe { assert(this, resource, subresource, Asserted::Layout(layout)) };
    }
}

unsafe fn assert(
    this: &Object<CommandQueue>,
    resource: *mut c_void,
    subresource: u32,
    asserted: Asserted,
) -> BOOL {
    let device = this.device();
    let look_up = |number, begins| match device.live_objects() {
        Some(live) => live.states.lock().known(number, begins),
        None => States::default().known(number, begins),
    };
    // SAFETY: the caller's promise.
    unsafe { states::check(device, look_up, Of::Queue, resource, subresource, asserted) }
}

/// What tools that capture frames are told. There are none here, and no swap chains: accepted without effect.
impl ID3D12SharingContract for CommandQueue {
    unsafe fn Present(_this: &Object<Self>, _resource: *mut c_void, _subresource: u32, _window: *mut c_void) {
    }

    unsafe fn SharedFenceSignal(_this: &Object<Self>, _fence: *mut c_void, _value: u64) {}

    unsafe fn BeginCapturableWork(_this: &Object<Self>, _guid: *const GUID) {}

    unsafe fn EndCapturableWork(_this: &Object<Self>, _guid: *const GUID) {}
}

fn set(
    this: &Object<CommandQueue>,
    place: &AtomicU32,
    value: u32,
    allowed: core::ops::RangeInclusive<u32>,
    field: &'static str,
) -> HRESULT {
    this.device().done(|| {
        if !allowed.contains(&value) {
            return Err(Unknown { field, given: u64::from(value) }.into());
        }
        place.store(value, Ordering::Relaxed);
        Ok(())
    })
}

unsafe fn get(this: &Object<CommandQueue>, place: &AtomicU32, out: *mut u32) -> HRESULT {
    this.device().done(|| {
        // SAFETY: the caller's promise.
        let out = unsafe { out.as_mut() }.ok_or(Failure::Code(E_POINTER))?;
        *out = place.load(Ordering::Relaxed);
        Ok(())
    })
}

/// `count` items, or none of NULL.
unsafe fn optional<'a, T>(items: *const T, count: u32) -> Option<&'a [T]> {
    // SAFETY: the caller's promise.
    (!items.is_null()).then(|| unsafe { core::slice::from_raw_parts(items, size(count)) })
}
