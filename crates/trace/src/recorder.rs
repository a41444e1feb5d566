//! Records a device's calls in our own format while they are made.

mod gpu;

use core::fmt;
use std::io::{self, BufWriter, Write};
use std::thread::{self, ThreadId};

use heapstone::{Error, ObjectId, Observer, Outcome};
use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use self::gpu::DescriptorHeaps;
use crate::error::Position;
use crate::format::write::TraceWriter;
use crate::model::{Call, Record, RecordedOutcome, ResourceArguments, TraceHeader, TraceId};

/// A clock: microseconds from any origin. The recorder itself reads none.
pub type Clock = Box<dyn Fn() -> u64 + Send + Sync>;

/// What a recorder writes beside the calls.
#[derive(Default)]
pub struct RecorderOptions {
    /// Gives each call its time.
    pub clock: Option<Clock>,
    /// Gives each call the number of its thread: 0 for the first that made a call, and so on.
    pub threads: bool,
}

impl fmt::Debug for RecorderOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecorderOptions")
            .field("clock", &self.clock.is_some())
            .field("threads", &self.threads)
            .finish()
    }
}

/// An observer that writes every call. Attach it when the device is built; call [`Recorder::finish`]
/// at the end, which tells of what went wrong: a call cannot. What it buffers is written when it is
/// dropped, too.
///
/// A recorder is of one device: objects of two would share numbers.
pub struct Recorder<W: Write + Send> {
    state: Mutex<State<W>>,
    clock: Option<Clock>,
    threads: bool,
}

struct State<W: Write> {
    /// `None` once it is finished.
    writer: Option<TraceWriter<BufWriter<W>>>,
    /// The first error; nothing is written after it.
    error: Option<io::Error>,
    threads: FxHashMap<ThreadId, u64>,
    descriptors: DescriptorHeaps,
}

impl<W: Write + Send> Recorder<W> {
    /// Begins a trace with its header line.
    ///
    /// # Errors
    /// Where the writer fails.
    pub fn new(writer: W, header: &TraceHeader, options: RecorderOptions) -> io::Result<Recorder<W>> {
        let writer = TraceWriter::new(BufWriter::with_capacity(1 << 16, writer), header)?;
        let state = State {
            writer: Some(writer),
            error: None,
            threads: FxHashMap::default(),
            descriptors: DescriptorHeaps::default(),
        };
        Ok(Recorder { state: Mutex::new(state), clock: options.clock, threads: options.threads })
    }

    /// Ends the trace: calls that come later are not recorded.
    ///
    /// # Errors
    /// The first error of the writer, then or since; the trace holds the calls before it.
    pub fn finish(&self) -> io::Result<()> {
        let mut state = self.state.lock();
        let flushed = match state.writer.take() {
            Some(mut writer) => writer.flush(),
            None => Ok(()),
        };
        match state.error.take() {
            Some(error) => Err(error),
            None => flushed,
        }
    }
}

impl<W: Write + Send> fmt::Debug for Recorder<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").field("threads", &self.threads).finish_non_exhaustive()
    }
}

impl<W: Write + Send> Observer for Recorder<W> {
    fn observe(&self, call: &heapstone::Call<'_>) {
        // Of most calls before the lock; a descriptor heap is known before its destruction is forgotten.
        let memory = owned(call);
        let mut state = self.state.lock();
        let gpu = match (&memory, call) {
            (Some(_), heapstone::Call::Destroy { .. }) | (None, _) => {
                gpu::owned(call, &mut state.descriptors)
            }
            (Some(_), _) => None,
        };
        let Some((call, outcome)) = memory.or(gpu) else { return };
        // Under the lock: the times of the file never fall.
        let timestamp_us = self.clock.as_ref().map(|clock| clock());
        let thread = self.threads.then(|| {
            let count = crate::error::as_u64(state.threads.len());
            *state.threads.entry(thread::current().id()).or_insert(count)
        });
        let record = Record { position: Position::default(), timestamp_us, thread, outcome, call };
        let written = state.writer.as_mut().map_or(Ok(()), |writer| writer.write(&record));
        if let Err(error) = written {
            state.writer = None;
            state.error = Some(error);
        }
    }
}

const fn id_of(object: ObjectId) -> TraceId {
    TraceId(object.0)
}

fn outcome_of(outcome: Outcome<'_>) -> RecordedOutcome {
    match outcome {
        Ok(()) => RecordedOutcome::Accepted,
        Err(error) => match Error::violation(error) {
            Some(violation) => RecordedOutcome::Refused(violation.rule.id.into()),
            None => RecordedOutcome::Failed(error.to_string().into()),
        },
    }
}

/// The creation calls' descriptions say the same of the resource, each in a structure of its own.
macro_rules! resource_arguments_from {
    ($($desc:ident),*) => { $(
        impl From<&heapstone::$desc<'_>> for ResourceArguments {
            fn from(desc: &heapstone::$desc<'_>) -> ResourceArguments {
                ResourceArguments {
                    desc: desc.resource,
                    initial: desc.initial,
                    clear_value: desc.clear_value,
                    castable_formats: desc.castable_formats.into(),
                }
            }
        }
    )* };
}

resource_arguments_from!(CommittedResourceDesc, PlacedResourceDesc, ReservedResourceDesc);

/// A call of memory as a trace has it; `None` of another.
fn owned(call: &heapstone::Call<'_>) -> Option<(Call, RecordedOutcome)> {
    use heapstone::Call as Made;
    let accepted = RecordedOutcome::Accepted;
    Some(match *call {
        Made::CreateHeap { object, desc, outcome } => {
            (Call::CreateHeap { id: id_of(object), desc: *desc }, outcome_of(outcome))
        }
        Made::CreateCommittedResource { object, desc, outcome } => {
            let call = Call::CreateCommittedResource {
                id: id_of(object),
                heap_properties: desc.heap_properties,
                heap_flags: desc.heap_flags,
                resource: desc.into(),
            };
            (call, outcome_of(outcome))
        }
        Made::CreatePlacedResource { object, heap, offset, desc, outcome } => {
            let call = Call::CreatePlacedResource {
                id: id_of(object),
                heap: id_of(heap),
                offset,
                resource: desc.into(),
            };
            (call, outcome_of(outcome))
        }
        Made::CreateReservedResource { object, desc, outcome } => {
            let call = Call::CreateReservedResource { id: id_of(object), resource: desc.into() };
            (call, outcome_of(outcome))
        }
        Made::Map { object, subresource, read_range, pointer, outcome } => {
            (Call::Map { id: id_of(object), subresource, read_range, pointer }, outcome_of(outcome))
        }
        Made::Unmap { object, subresource, written_range, outcome } => {
            (Call::Unmap { id: id_of(object), subresource, written_range }, outcome_of(outcome))
        }
        Made::SetName { object, name } => (Call::SetName { id: id_of(object), name: name.into() }, accepted),
        Made::SetTag { object, tag } => (Call::SetTag { id: id_of(object), tag: tag.into() }, accepted),
        Made::Destroy { object } => (Call::Destroy { id: id_of(object) }, accepted),
        _ => return None,
    })
}
