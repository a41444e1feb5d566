//! Command allocators: the memory that lists record into.

use core::fmt;
use std::sync::Arc;

use heapstone_driver::dma::{DmaBuffer, DmaBuilder};
use heapstone_spec::Violation;
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::command as rules;
use parking_lot::Mutex;

use crate::address::MemoryReference;
use crate::device::{Device, DeviceRef};
use crate::error::Error;
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};

/// A command allocator (ID3D12CommandAllocator): a cheap handle. It keeps the memory of the streams that
/// were recorded from it, and gives it to the next ones.
#[derive(Clone)]
pub struct CommandAllocator {
    pub(crate) inner: Arc<AllocatorInner>,
}

pub(crate) struct AllocatorInner {
    pub(super) device: DeviceRef,
    pub(super) list_type: CommandListType,
    state: Mutex<AllocatorState>,
    pub(super) id: ObjectId,
    labels: Labels,
}

#[derive(Default)]
struct AllocatorState {
    /// How often it was reset: what was recorded before is not executed any more.
    generation: u64,
    is_recording: bool,
    /// Executions that were submitted and have not ended.
    in_flight: u64,
    /// Memory of lists that are gone.
    recycled: Vec<StreamMemory>,
}

/// The memory of one stream, empty.
#[derive(Default)]
pub(super) struct StreamMemory {
    pub(super) dma: DmaBuffer,
    pub(super) references: Vec<MemoryReference>,
}

impl Device {
    /// ID3D12Device::CreateCommandAllocator.
    ///
    /// # Errors
    /// None so far: what D3D12 refuses, the types do not express.
    pub fn create_command_allocator(&self, list_type: CommandListType) -> Result<CommandAllocator, Error> {
        let inner = AllocatorInner {
            device: self.reference(),
            list_type,
            state: Mutex::default(),
            id: self.inner.new_object(),
            labels: Labels::default(),
        };
        self.inner.observe(|| Call::CreateCommandAllocator { object: inner.id, list_type, outcome: Ok(()) });
        Ok(CommandAllocator { inner: Arc::new(inner) })
    }
}

impl CommandAllocator {
    /// ID3D12CommandAllocator::Reset: lists that were recorded from it are not executed any more, and their
    /// memory is for the next.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `allocator.reset.*`: a list records from it, or is in flight.
    pub fn reset(&self) -> Result<(), Error> {
        let result = self.inner.reset().map_err(Error::from);
        self.inner.device.observe(|| Call::ResetCommandAllocator {
            object: self.inner.id,
            outcome: result.as_ref().copied(),
        });
        result
    }

    /// The type of list that records from it.
    #[must_use]
    pub fn list_type(&self) -> CommandListType {
        self.inner.list_type
    }
}

impl AllocatorInner {
    /// A list begins to record: memory for its stream.
    pub(super) fn begin(&self) -> Result<StreamMemory, Box<Violation>> {
        let mut state = self.state.lock();
        if state.is_recording {
            return Err(rules::ALLOCATOR_RECORDING.violated(
                "pCommandAllocator",
                "an allocator that an open list records from",
                "one that no open list records from",
            ));
        }
        state.is_recording = true;
        Ok(state.recycled.pop().unwrap_or_default())
    }

    /// The list that recorded is closed or gone. Answers the generation of what it recorded.
    pub(super) fn end(&self) -> u64 {
        let mut state = self.state.lock();
        state.is_recording = false;
        state.generation
    }

    /// Takes the memory of a stream that is executed no more.
    pub(super) fn recycle(&self, memory: StreamMemory) {
        let StreamMemory { dma, mut references } = memory;
        // What the stream referred to is let go of here, before the lock.
        let dma = DmaBuilder::new(dma).finish();
        references.clear();
        self.state.lock().recycled.push(StreamMemory { dma, references });
    }

    /// Something recorded in `generation` is submitted.
    pub(super) fn enter_flight(&self, generation: u64) -> Result<(), Box<Violation>> {
        let mut state = self.state.lock();
        check_generation(&state, generation)?;
        state.in_flight += 1;
        Ok(())
    }

    pub(super) fn leave_flight(&self) {
        self.state.lock().in_flight -= 1;
    }

    /// Whether what was recorded in `generation` may be executed.
    pub(super) fn check_generation(&self, generation: u64) -> Result<(), Box<Violation>> {
        check_generation(&self.state.lock(), generation)
    }

    fn reset(&self) -> Result<(), Box<Violation>> {
        let mut state = self.state.lock();
        if state.is_recording {
            return Err(rules::ALLOCATOR_RESET_RECORDING.violated(
                "ID3D12CommandAllocator::Reset",
                "an allocator that an open list records from",
                "one whose lists are closed",
            ));
        }
        if state.in_flight > 0 {
            return Err(rules::ALLOCATOR_RESET_IN_FLIGHT.violated(
                "ID3D12CommandAllocator::Reset",
                format_args!("an allocator with {} executions in flight", state.in_flight),
                "0 in flight",
            ));
        }
        state.generation += 1;
        Ok(())
    }
}

fn check_generation(state: &AllocatorState, generation: u64) -> Result<(), Box<Violation>> {
    if state.generation == generation {
        return Ok(());
    }
    Err(rules::EXECUTE_ALLOCATOR_RESET.violated(
        "ppCommandLists",
        format_args!("a list whose allocator was reset {} times since", state.generation - generation),
        "a list recorded after its allocator's last reset",
    ))
}

shared_object!(CommandAllocator);

impl fmt::Debug for CommandAllocator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommandAllocator")
            .field("id", &self.inner.id)
            .field("list_type", &self.inner.list_type)
            .finish_non_exhaustive()
    }
}

impl Drop for AllocatorInner {
    fn drop(&mut self) {
        self.device.observe(|| Call::Destroy { object: self.id });
    }
}
