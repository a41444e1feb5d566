//! ID3D12Fence 0 and 1.

use core::ffi::c_void;
use std::os::fd::OwnedFd;
use std::sync::OnceLock;

use heapstone::WaitMode;
use heapstone::spec::commands::FenceFlags;
use parking_lot::Mutex;

use crate::com::{Held, Object, class, deliver, from_client};
use crate::convert::size;
use crate::device::Device;
use crate::event;
use crate::failure::{Failure, Unknown};
use crate::sharing::SharedFence;
use crate::types::{GUID, HRESULT};
use crate::vtables::ID3D12Fence1;

/// A fence.
pub struct Fence {
    /// The library's.
    pub runtime: heapstone::Fence,
    /// There once it was shared, or where it was opened.
    shared: OnceLock<SharedFence>,
    /// Held while it is made one that is shared, which is done once.
    sharing: Mutex<()>,
}

class!(Fence, ID3D12Fence1Vtbl, "ID3D12Fence", {
    fn renamed(this: &Object<Fence>, name: &str) {
        this.runtime.set_name(name);
    }
});

impl Fence {
    /// The object of a fence.
    #[must_use]
    pub fn create(device: &Object<Device>, runtime: heapstone::Fence) -> Held<Fence> {
        Object::create(
            Fence { runtime, shared: OnceLock::new(), sharing: Mutex::default() },
            Some(device),
            device.convention(),
        )
    }

    /// The object of a fence that another process shares.
    pub(crate) fn open(
        device: &Object<Device>,
        flags: FenceFlags,
        file: OwnedFd,
    ) -> Result<Held<Fence>, Failure> {
        let (runtime, shared) = SharedFence::open(device, flags, file)?;
        let fence = Fence { runtime, shared: OnceLock::from(shared), sharing: Mutex::default() };
        Ok(Object::create(fence, Some(device), device.convention()))
    }

    /// What other processes see of it, where they can.
    pub(crate) fn shared(&self) -> Option<&SharedFence> {
        self.shared.get()
    }
}

impl Object<Fence> {
    /// CreateSharedHandle: a handle of the fence, which other processes see from now on.
    pub(crate) fn share(&self) -> Result<OwnedFd, Failure> {
        let flags = self.runtime.creation_flags();
        if !flags.contains(FenceFlags::SHARED) {
            return Err(Failure::Argument(
                "pObject is a fence that was not created with D3D12_FENCE_FLAG_SHARED",
            ));
        }
        let _sharing = self.sharing.lock();
        if self.shared.get().is_none() {
            let shared = SharedFence::share(self.device(), &self.runtime, flags)?;
            let _ = self.shared.set(shared);
        }
        let shared = self.shared.get().expect("invariant: it was set");
        shared.handle()
    }
}

/// D3D12_FENCE_FLAGS that there are.
const FLAGS: FenceFlags = FenceFlags::all();

/// ID3D12Device::CreateFence.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    initial_value: u64,
    flags: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || {
        let known = FenceFlags::from_bits(flags).filter(|flags| FLAGS.contains(*flags));
        let flags = known.ok_or(Unknown { field: "Flags", given: u64::from(flags) })?;
        Ok(Fence::create(this, this.runtime.create_fence(initial_value, flags)?))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

impl ID3D12Fence1 for Fence {
    unsafe fn GetCompletedValue(this: &Object<Self>) -> u64 {
        match this.shared() {
            // A removed device's fences are at the greatest value, whatever others do.
            Some(shared) if this.runtime.completed_value() != u64::MAX => shared.value(),
            _ => this.runtime.completed_value(),
        }
    }

    /// A NULL event blocks until the value is reached (facts/behaviour.md, Lists, queues, fences).
    unsafe fn SetEventOnCompletion(this: &Object<Self>, value: u64, event: *mut c_void) -> HRESULT {
        this.device().done(|| {
            if event.is_null() {
                return Ok(this.runtime.wait(value)?);
            }
            this.runtime.set_event_on_completion(value, &event::from_handle(event)?);
            Ok(())
        })
    }

    #[inline]
    unsafe fn Signal(this: &Object<Self>, value: u64) -> HRESULT {
        this.device().done(|| Ok(this.runtime.signal(value)?))
    }

    unsafe fn GetCreationFlags(this: &Object<Self>) -> u32 {
        this.runtime.creation_flags().bits()
    }
}

/// ID3D12Device1::SetEventOnMultipleFenceCompletion. 0 fences, NULL arrays and unknown flags are refused
/// (facts/behaviour.md, Lists, queues, fences).
pub(crate) unsafe fn set_event_on_multiple(
    this: &Object<Device>,
    fences: *const *mut c_void,
    values: *const u64,
    count: u32,
    flags: u32,
    event: *mut c_void,
) -> HRESULT {
    this.done(|| {
        if fences.is_null() || values.is_null() {
            return Err(Failure::Argument("ppFences or pFenceValues is NULL"));
        }
        let mode = match flags {
            0 => WaitMode::All,
            1 => WaitMode::Any,
            other => return Err(Unknown { field: "Flags", given: u64::from(other) }.into()),
        };
        // SAFETY: the client gives as many of both as it says.
        let (fences, values) = unsafe {
            (
                core::slice::from_raw_parts(fences, size(count)),
                core::slice::from_raw_parts(values, size(count)),
            )
        };
        let pairs: Vec<(&heapstone::Fence, u64)> = fences
            .iter()
            .zip(values)
            .map(|(fence, value)| {
                // SAFETY: the pointers are the client's.
                let fence = unsafe { from_client::<Fence>(*fence) };
                Ok((&fence.ok_or(Failure::Argument("ppFences holds no fence"))?.runtime, *value))
            })
            .collect::<Result<_, Failure>>()?;
        if event.is_null() {
            let _ = this.runtime.wait_for_fences(&pairs, mode, None)?;
            return Ok(());
        }
        Ok(this.runtime.set_event_on_multiple_fence_completion(&pairs, mode, &event::from_handle(event)?)?)
    })
}
