//! Heaps and committed resources that several devices have, of this process or of others
//! (spec/2-resource-heaps.txt 75-101): handles of their bytes, and the same opened.
//!
//! A handle is a file of the driver's: the heap's bytes, and behind them [`SHARED_DESCRIPTION_SIZE`] bytes for whoever
//! shares it to say what it is. The description is not read here: who opens a handle says what it expects.
//!
//! [`SHARED_DESCRIPTION_SIZE`]: heapstone_driver::SHARED_DESCRIPTION_SIZE

use std::os::fd::OwnedFd;
use std::sync::Arc;

use heapstone_driver::{Driver, DriverError};
use heapstone_spec::rules::sharing as rules;
use heapstone_spec::{HeapDesc, HeapFlags, HeapType};

use super::Device;
use super::create::{GivenBytes, outcome};
use crate::desc::CommittedResourceDesc;
use crate::error::Error;
use crate::heap::{Heap, HeapCore};
use crate::observer::{Call, ObjectId};
use crate::resource::{Place, Resource};

impl Heap {
    /// ID3D12Device::CreateSharedHandle of a heap: another handle of the same bytes each time.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`share.flag`); [`Error::Driver`] where there are no bytes, or no more handles.
    pub fn create_shared_handle(&self) -> Result<OwnedFd, Error> {
        handle(&self.inner.device.adapter.driver, &self.inner.core)
    }
}

impl Resource {
    /// ID3D12Device::CreateSharedHandle of a committed resource: a handle of its implicit heap's bytes.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`share.flag`, `share.kind`); [`Error::Driver`] where there are no bytes, or no more handles.
    pub fn create_shared_handle(&self) -> Result<OwnedFd, Error> {
        match &self.inner.place {
            Place::Committed { device, core, .. } => handle(&device.adapter.driver, core),
            Place::Placed { .. } | Place::Reserved { .. } => {
                let given = format_args!("a {:?} resource", self.kind());
                Err(rules::SHARED_KIND.violated("pObject", given, "a heap or a committed resource").into())
            }
        }
    }
}

impl Device {
    /// ID3D12Device::OpenSharedHandle of a heap that was created with `desc`: a heap with the same bytes.
    ///
    /// # Errors
    /// As [`Device::create_heap`]; `share.flag`; `share.description` where the file does not fit the description.
    pub fn open_shared_heap(&self, desc: &HeapDesc, file: OwnedFd) -> Result<Heap, Error> {
        check_flag(desc.flags)?;
        let id = self.number();
        let result =
            self.create_heap_unobserved(desc, Some(GivenBytes::File(file)), id).map_err(not_as_described);
        self.inner.observe(|| Call::CreateHeap { object: id, desc, outcome: outcome(&result) });
        result
    }

    /// ID3D12Device::OpenSharedHandle of a committed resource that was created with `desc`: a resource with the same
    /// bytes.
    ///
    /// # Errors
    /// As [`Device::create_committed_resource`]; `share.flag`; `share.description` where the file does not fit the
    /// description.
    pub fn open_shared_resource(
        &self,
        desc: &CommittedResourceDesc<'_>,
        file: OwnedFd,
    ) -> Result<Resource, Error> {
        check_flag(desc.heap_flags)?;
        let id = self.number();
        let result = self
            .create_committed_unobserved(desc, Some(GivenBytes::File(file)), id)
            .map_err(not_as_described);
        self.inner.observe(|| Call::CreateCommittedResource { object: id, desc, outcome: outcome(&result) });
        let heap_type: HeapType = desc.heap_properties.heap_type;
        self.inner.notify(&desc.resource, desc.initial, Some(heap_type), &result);
        result
    }

    fn number(&self) -> ObjectId {
        if self.inner.is_observed() { self.inner.new_object() } else { ObjectId::default() }
    }
}

fn handle(driver: &Arc<dyn Driver>, core: &HeapCore) -> Result<OwnedFd, Error> {
    check_flag(core.flags())?;
    Ok(driver.share_heap(core.driver())?)
}

fn check_flag(flags: HeapFlags) -> Result<(), Error> {
    if flags.contains(HeapFlags::SHARED) {
        return Ok(());
    }
    Err(rules::SHARED_FLAG.violated("D3D12_HEAP_FLAGS", flags, "flags with SHARED").into())
}

/// What the driver found wrong with the file is the caller's doing.
fn not_as_described(error: Error) -> Error {
    match error {
        Error::Driver(reason) if matches!(*reason, DriverError::Unsupported { .. }) => {
            let allowed = "a file of sealed size, as large as the description says";
            rules::SHARED_DESCRIPTION.violated("NTHandle", reason, allowed).into()
        }
        error => error,
    }
}
