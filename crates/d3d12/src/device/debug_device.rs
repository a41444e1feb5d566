//! ID3D12DebugDevice 0 to 2.

use core::ffi::c_void;
use core::sync::atomic::{AtomicU32, Ordering};
use std::collections::BTreeMap;
use std::sync::Arc;

use heapstone::{Call, Notice, Observer};
use parking_lot::Mutex;

use super::{Device, live};
use crate::adapters::Recording;
use crate::com::Object;
use crate::convert::size;
use crate::failure::{Failure, Unknown};
use crate::messages::{Category, Message, Messages, Severity};
use crate::types::{HRESULT, S_OK};
use crate::vtables::{ID3D12DebugDevice1, ID3D12DebugDevice2};

/// What a client set by a debug interface. Nothing of it changes what is judged.
#[derive(Default)]
pub(crate) struct DebugState {
    feature_mask: AtomicU32,
    parameters: Mutex<BTreeMap<u32, Vec<u8>>>,
}

/// The parameters that a debug interface has: the enumeration's name, and the size of each by its number.
pub(crate) struct Parameters(pub(crate) &'static str, pub(crate) &'static [usize]);

/// Feature flags, settings of GPU-based validation, the factor of a slowdown.
const PARAMETERS: Parameters = Parameters("D3D12_DEBUG_DEVICE_PARAMETER_TYPE", &[4, 12, 4]);

impl Parameters {
    fn size(&self, kind: u32, given: u32) -> Result<usize, Failure> {
        let Parameters(field, sizes) = *self;
        let expected = usize::try_from(kind).ok().and_then(|kind| sizes.get(kind)).copied();
        let expected = expected.ok_or(Unknown { field, given: u64::from(kind) })?;
        if size(given) == expected {
            Ok(expected)
        } else {
            Err(Failure::Argument("DataSize is not the parameter's"))
        }
    }
}

impl DebugState {
    /// SetFeatureMask.
    pub(crate) fn set_feature_mask(&self, mask: u32) {
        self.feature_mask.store(mask, Ordering::Relaxed);
    }

    /// GetFeatureMask.
    pub(crate) fn feature_mask(&self) -> u32 {
        self.feature_mask.load(Ordering::Relaxed)
    }

    /// SetDebugParameter.
    ///
    /// # Safety
    /// `data` is NULL or points to `length` bytes.
    ///
    /// # Errors
    /// No such parameter; another size than it has; NULL.
    pub(crate) unsafe fn set_parameter(
        &self,
        parameters: &Parameters,
        kind: u32,
        data: *const c_void,
        length: u32,
    ) -> Result<(), Failure> {
        let length = parameters.size(kind, length)?;
        if data.is_null() {
            return Err(Failure::Argument("pData is NULL"));
        }
        // SAFETY: the caller's promise.
        let bytes = unsafe { core::slice::from_raw_parts(data.cast::<u8>(), length) };
        self.parameters.lock().insert(kind, bytes.to_vec());
        Ok(())
    }

    /// GetDebugParameter: what was set, or zeros.
    ///
    /// # Safety
    /// `data` is NULL or points to `length` bytes.
    ///
    /// # Errors
    /// As of [`DebugState::set_parameter`].
    pub(crate) unsafe fn parameter(
        &self,
        parameters: &Parameters,
        kind: u32,
        data: *mut c_void,
        length: u32,
    ) -> Result<(), Failure> {
        let length = parameters.size(kind, length)?;
        if data.is_null() {
            return Err(Failure::Argument("pData is NULL"));
        }
        let bytes = self.parameters.lock().get(&kind).cloned().unwrap_or_else(|| vec![0; length]);
        // SAFETY: the caller's promise.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), data.cast(), length) };
        Ok(())
    }
}

impl ID3D12DebugDevice2 for Device {
    unsafe fn SetFeatureMask(this: &Object<Self>, mask: u32) -> HRESULT {
        this.debug.set_feature_mask(mask);
        S_OK
    }

    unsafe fn GetFeatureMask(this: &Object<Self>) -> u32 {
        this.debug.feature_mask()
    }

    /// The objects are listed of a device that the debug layer watches (chosen: D3D12 has this interface only there).
    unsafe fn ReportLiveDeviceObjects(this: &Object<Self>, flags: u32) -> HRESULT {
        this.done(|| {
            if flags & !live::ALL_FLAGS != 0 {
                return Err(Unknown { field: "D3D12_RLDO_FLAGS", given: u64::from(flags) }.into());
            }
            live::report(this, flags);
            Ok(())
        })
    }

    unsafe fn SetDebugParameter(this: &Object<Self>, kind: u32, data: *const c_void, length: u32) -> HRESULT {
        // SAFETY: the client gives as many bytes as it says.
        this.done(|| unsafe { this.debug.set_parameter(&PARAMETERS, kind, data, length) })
    }

    unsafe fn GetDebugParameter(this: &Object<Self>, kind: u32, data: *mut c_void, length: u32) -> HRESULT {
        // SAFETY: the client gives room for as many bytes as it says.
        this.done(|| unsafe { this.debug.parameter(&PARAMETERS, kind, data, length) })
    }
}

impl ID3D12DebugDevice1 for Device {
    unsafe fn SetDebugParameter(this: &Object<Self>, kind: u32, data: *const c_void, length: u32) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { <Self as ID3D12DebugDevice2>::SetDebugParameter(this, kind, data, length) }
    }

    unsafe fn GetDebugParameter(this: &Object<Self>, kind: u32, data: *mut c_void, length: u32) -> HRESULT {
        // SAFETY: the arguments are the client's.
        unsafe { <Self as ID3D12DebugDevice2>::GetDebugParameter(this, kind, data, length) }
    }

    unsafe fn ReportLiveDeviceObjects(this: &Object<Self>, flags: u32) -> HRESULT {
        // SAFETY: there is nothing to promise.
        unsafe { <Self as ID3D12DebugDevice2>::ReportLiveDeviceObjects(this, flags) }
    }
}

/// Who hears of the device's calls: the trace that is recorded, and the debug layer, where they are there.
pub(super) fn observer(
    recording: Option<&Recording>,
    layer: Option<Arc<Messages>>,
) -> Option<Arc<dyn Observer>> {
    match (recording, layer) {
        (None, None) => None,
        (Some(recording), None) => Some(recording.observer()),
        (None, Some(messages)) => Some(Arc::new(Layer { messages, recorder: None })),
        (Some(recording), Some(messages)) => {
            Some(Arc::new(Layer { messages, recorder: Some(recording.observer()) }))
        }
    }
}

/// The debug layer: hears what the library says of accepted calls.
struct Layer {
    messages: Arc<Messages>,
    recorder: Option<Arc<dyn Observer>>,
}

impl Observer for Layer {
    fn observe(&self, call: &Call<'_>) {
        if let Some(recorder) = &self.recorder {
            recorder.observe(call);
        }
    }

    fn notice(&self, notice: &Notice) {
        if let Some(recorder) = &self.recorder {
            recorder.notice(notice);
        }
        let severity = match notice.severity {
            heapstone::Severity::Warning => Severity::Warning,
            heapstone::Severity::Info => Severity::Info,
        };
        self.messages.add(Message {
            category: Category::StateCreation as u32,
            severity: severity as u32,
            id: notice.subject.message().map_or(0, |message| message.number),
            text: notice.text.clone(),
        });
    }
}
