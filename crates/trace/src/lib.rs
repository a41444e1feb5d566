//! Traces of Direct3D 12 memory calls: our own format, GPGMM's, a recorder, and the replay that runs
//! a trace on any device and accounts for every byte.
//!
//! ```text
//!  file --open_trace--> Trace (Iterator of Record) --+--> Replayer (device as asked) ----> Report
//!    own format: streamed, constant memory           |
//!    GPGMM: compact events, sorted by time           +--> Replayer (tight alignment) --> comparison
//!  device --Observer--> Recorder --> own format
//! ```
#![forbid(unsafe_code)]

mod error;
mod format;
mod generate;
mod generate_laps;
mod generate_streaming;
mod gpu;
mod import;
mod model;
mod open;
mod recorder;
mod replay;

pub use error::{Position, TraceError, TraceErrorKind};
pub use format::read::{LINE_SIZE_MAX, TraceReader};
pub use format::write::TraceWriter;
pub use format::{CallKind, FORMAT_VERSION};
pub use generate::{GenerateOptions, Generator, generate};
pub use generate_laps::{LapsGenerator, LapsOptions, generate_laps};
pub use generate_streaming::{StreamingGenerator, StreamingOptions, generate_streaming};
pub use gpu::{
    AddressPlace, BarrierGroupArguments, BufferBarrierArguments, CopyLocationArguments,
    DescriptorPlaceArguments, DescriptorRangesArguments, DiscardRegionArguments, FootprintArguments,
    GlobalBarrierArguments, GpuCall, GpuCallKind, ResourceBarrierArguments, TextureBarrierArguments,
};
pub use import::gpgmm::{EVENT_SIZE_MAX, GpgmmImporter, ImportNotes};
pub use model::{Call, Origin, Record, RecordedOutcome, ResourceArguments, TraceHeader, TraceId};
pub use open::{Prefixed, Trace, open_trace, read_trace};
pub use recorder::{Clock, Recorder, RecorderOptions};
pub use replay::report;
pub use replay::{
    BATCH_SIZE, HeapUse, MakeResident, MemoryEvent, MemoryLog, MemoryStep, ParsePlacementError, Placement,
    ReplayOptions, ReplayPlan, Replayer, TightDevice, replay, tight_device,
};
