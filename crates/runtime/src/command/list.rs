//! Command lists: open, closed, reset.

use core::fmt;
use std::sync::Arc;

use heapstone_driver::dma::DmaBuffer;
use heapstone_spec::Violation;
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::command as rules;

use super::allocator::{AllocatorInner, CommandAllocator};
use super::closed::ClosedList;
use super::descriptor_heaps::BoundHeaps;
use super::observed::ListCommand;
use super::recorder::Recorder;
use crate::descriptor::WeakDescriptorHeap;
use crate::device::{Device, DeviceInner, DeviceRef};
use crate::error::Error;
use crate::object::{Labels, object};
use crate::observer::{Call, ObjectId};
use crate::resource::Resource;

/// A command list (ID3D12GraphicsCommandList).
///
/// ```text
///   create_command_list ---> Open --close--> Closed ---> execute
///                             ^  \             |
///                             |   '--close--> Failed     a call was refused: Close answers it
///                             |                |
///                             '----- reset ----'<-- Unrecorded <--- create_closed_command_list
/// ```
/// It keeps nothing that it refers to alive, as D3D12's do not: what is destroyed before the list is
/// executed makes the execution fail.
pub struct CommandList {
    pub(super) device: DeviceRef,
    pub(super) list_type: CommandListType,
    state: State,
    recorder: Recorder,
    /// The first call that was refused since the list was opened.
    failure: Option<Box<Violation>>,
    pub(super) bound: BoundHeaps,
    /// All that it set since it was opened.
    pub(super) descriptor_heaps: Vec<WeakDescriptorHeap>,
    is_observed: bool,
    id: ObjectId,
    labels: Labels,
}

enum State {
    /// Records from the allocator.
    Open(Arc<AllocatorInner>),
    Closed(Arc<ClosedList>),
    Failed(Box<Violation>),
    Unrecorded,
}

impl Device {
    /// ID3D12Device::CreateCommandList: an open list that records from `allocator`.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `list.allocator.type`, `list.device`, `allocator.recording`.
    pub fn create_command_list(
        &self,
        list_type: CommandListType,
        allocator: &CommandAllocator,
    ) -> Result<CommandList, Error> {
        let mut list = self.unrecorded(list_type);
        let result = list.open(allocator).map_err(Error::from);
        self.inner.observe(|| Call::CreateCommandList {
            object: list.id,
            list_type,
            allocator: Some(allocator.id()),
            outcome: result.as_ref().copied(),
        });
        match result {
            Ok(()) => Ok(list),
            Err(error) => {
                // It never was.
                list.id = ObjectId::default();
                Err(error)
            }
        }
    }

    /// ID3D12Device4::CreateCommandList1: a closed list without an allocator, to be reset first.
    ///
    /// # Errors
    /// None so far: what D3D12 refuses, the types do not express.
    pub fn create_closed_command_list(&self, list_type: CommandListType) -> Result<CommandList, Error> {
        let list = self.unrecorded(list_type);
        self.inner.observe(|| Call::CreateCommandList {
            object: list.id,
            list_type,
            allocator: None,
            outcome: Ok(()),
        });
        Ok(list)
    }

    fn unrecorded(&self, list_type: CommandListType) -> CommandList {
        CommandList {
            device: self.reference(),
            list_type,
            state: State::Unrecorded,
            recorder: Recorder::default(),
            failure: None,
            bound: BoundHeaps::default(),
            descriptor_heaps: Vec::new(),
            is_observed: self.inner.is_observed(),
            id: self.inner.new_object(),
            labels: Labels::default(),
        }
    }
}

impl CommandList {
    /// ID3D12GraphicsCommandList::Close: no more commands; the list can be executed.
    ///
    /// # Errors
    /// [`Error::Invalid`]: the rule that the first refused call broke, and the list is good for nothing but a
    /// reset; `list.closed` where it is not open.
    pub fn close(&mut self) -> Result<(), Error> {
        let result = self.close_unobserved().map_err(Error::from);
        self.device.observe(|| Call::CloseCommandList { object: self.id, outcome: result.as_ref().copied() });
        result
    }

    /// ID3D12GraphicsCommandList::Reset: opens the list to record anew from `allocator`. What was recorded
    /// before may still be in flight.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `list.open`, `list.allocator.type`, `list.device`, `allocator.recording`.
    pub fn reset(&mut self, allocator: &CommandAllocator) -> Result<(), Error> {
        let result = self.open(allocator).map_err(Error::from);
        self.device.observe(|| Call::ResetCommandList {
            object: self.id,
            allocator: allocator.id(),
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// Refuses a command whose arguments the types here cannot express: for a C interface, whose callers give NULL and
    /// numbers of no meaning. As with any refused command the list goes on, and Close answers it.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `list.argument`, always; `list.closed` where it is not open.
    pub fn refuse(&mut self, command: &'static str, given: &str) -> Result<(), Error> {
        let violation = if self.is_open() {
            rules::LIST_ARGUMENT.violated(command, given, "objects and values that the command takes")
        } else {
            not_open(command)
        };
        if self.is_open() {
            self.failure.get_or_insert_with(|| violation.clone());
        }
        Err(violation.into())
    }

    /// The type: which queues execute it.
    #[must_use]
    pub fn list_type(&self) -> CommandListType {
        self.list_type
    }

    /// Whether it records.
    #[must_use]
    pub const fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// What the list was compiled to, where it is closed without an error.
    #[must_use]
    pub fn dma_buffer(&self) -> Option<&DmaBuffer> {
        match &self.state {
            State::Closed(list) => Some(&list.dma),
            State::Open(_) | State::Failed(_) | State::Unrecorded => None,
        }
    }

    pub(crate) fn device_inner(&self) -> &DeviceInner {
        &self.device
    }

    /// What a queue executes.
    ///
    /// # Errors
    /// `list.execute.*`: it is open, failed, was never recorded, or its allocator was reset since.
    pub(crate) fn closed(&self) -> Result<Arc<ClosedList>, Box<Violation>> {
        let given = match &self.state {
            State::Closed(list) => {
                list.check_current()?;
                return Ok(Arc::clone(list));
            }
            State::Open(_) => {
                return Err(rules::EXECUTE_OPEN.violated("ppCommandLists", "an open list", "a closed list"));
            }
            State::Failed(violation) => format!("a list whose recording failed: {violation}"),
            State::Unrecorded => {
                return Err(rules::EXECUTE_UNRECORDED.violated(
                    "ppCommandLists",
                    "a list that was created closed and never reset",
                    "a list that was recorded and closed",
                ));
            }
        };
        Err(rules::EXECUTE_FAILED.violated(
            "ppCommandLists",
            given,
            "a list that was closed without an error",
        ))
    }

    fn open(&mut self, allocator: &CommandAllocator) -> Result<(), Box<Violation>> {
        if self.is_open() {
            return Err(rules::LIST_OPEN.violated(
                "ID3D12GraphicsCommandList::Reset",
                "an open list",
                "a closed list",
            ));
        }
        let allocator = &allocator.inner;
        if !core::ptr::eq(&*allocator.device as *const DeviceInner, &*self.device) {
            return Err(other_device("pCommandAllocator"));
        }
        if allocator.list_type != self.list_type {
            return Err(rules::LIST_ALLOCATOR_TYPE.violated(
                "pCommandAllocator",
                format_args!("an allocator of type {}", allocator.list_type),
                self.list_type,
            ));
        }
        let memory = allocator.begin()?;
        self.recorder.begin(memory);
        self.failure = None;
        self.bound = BoundHeaps::default();
        self.descriptor_heaps.clear();
        // What was closed before goes here, unless it is in flight.
        self.state = State::Open(Arc::clone(allocator));
        Ok(())
    }

    fn close_unobserved(&mut self) -> Result<(), Box<Violation>> {
        let State::Open(allocator) = &self.state else {
            return Err(not_open("ID3D12GraphicsCommandList::Close"));
        };
        let allocator = Arc::clone(allocator);
        let memory = self.recorder.finish();
        let generation = allocator.end();
        if let Some(failure) = self.failure.take() {
            allocator.recycle(memory);
            self.state = State::Failed(failure.clone());
            return Err(failure);
        }
        self.state = State::Closed(Arc::new(ClosedList {
            dma: memory.dma,
            references: memory.references,
            descriptor_heaps: core::mem::take(&mut self.descriptor_heaps),
            list: self.id,
            allocator,
            generation,
        }));
        Ok(())
    }

    /// The recorder, where `call` may be recorded: the list is open, and its type is one of `types`.
    #[inline]
    pub(crate) fn recorder(
        &mut self,
        call: &'static str,
        types: &'static [CommandListType],
    ) -> Result<&mut Recorder, Box<Violation>> {
        if !self.is_open() {
            return Err(not_open(call));
        }
        if !types.contains(&self.list_type) {
            return Err(wrong_type(call, self.list_type, types));
        }
        Ok(&mut self.recorder)
    }

    /// That `resource` is of the list's device.
    #[inline]
    pub(crate) fn check_device(
        &self,
        field: &'static str,
        resource: &Resource,
    ) -> Result<(), Box<Violation>> {
        let given: *const DeviceInner = resource.inner.device();
        if core::ptr::eq(given, &*self.device) { Ok(()) } else { Err(other_device(field)) }
    }

    /// Ends a call of the application: the list remembers the first that was refused, and observers hear of
    /// each. `command` is not evaluated on a device that nobody watches.
    #[inline]
    pub(crate) fn ended<'a>(
        &mut self,
        result: Result<(), Box<Violation>>,
        command: impl FnOnce() -> ListCommand<'a>,
    ) -> Result<(), Error> {
        match result {
            Ok(()) if !self.is_observed => Ok(()),
            result => self.ended_apart(result, command),
        }
    }

    #[cold]
    fn ended_apart<'a>(
        &mut self,
        result: Result<(), Box<Violation>>,
        command: impl FnOnce() -> ListCommand<'a>,
    ) -> Result<(), Error> {
        if let Err(violation) = &result
            && self.is_open()
        {
            self.failure.get_or_insert_with(|| violation.clone());
        }
        let result = result.map_err(Error::from);
        if self.is_observed {
            let command = command();
            self.device.observe(|| Call::Command {
                list: self.id,
                command: &command,
                outcome: result.as_ref().copied(),
            });
        }
        result
    }
}

#[cold]
fn not_open(call: &'static str) -> Box<Violation> {
    rules::LIST_CLOSED.violated(call, "a list that is not open", "an open list")
}

#[cold]
fn wrong_type(
    call: &'static str,
    given: CommandListType,
    types: &'static [CommandListType],
) -> Box<Violation> {
    let names: Vec<&str> = types.iter().map(|list_type| list_type.name()).collect();
    rules::LIST_TYPE.violated(call, format_args!("a list of type {given}"), names.join(", "))
}

#[cold]
pub(super) fn other_device(field: &'static str) -> Box<Violation> {
    rules::LIST_DEVICE.violated(field, "an object of another device", "one of the list's device")
}

object!(CommandList, self => self, &self.device);

impl fmt::Debug for CommandList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandList")
            .field("id", &self.id)
            .field("list_type", &self.list_type)
            .field("is_open", &self.is_open())
            .finish_non_exhaustive()
    }
}

impl Drop for CommandList {
    fn drop(&mut self) {
        if let State::Open(allocator) = &self.state {
            allocator.recycle(self.recorder.finish());
            allocator.end();
        }
        if self.id != ObjectId::default() {
            self.device.observe(|| Call::Destroy { object: self.id });
        }
    }
}
