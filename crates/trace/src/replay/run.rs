//! A whole trace: read by one thread, replayed by one more for each device.
//!
//! ```text
//!   caller's thread            reads, parses, hands out batches of calls
//!      |-- bounded channel --> Replayer of the device asked for
//!      '-- bounded channel --> Replayer of the tight device
//! ```
//! Batches are shared, not copied. The channels are bounded, so that a fast reader waits and memory
//! does not grow with the trace.

use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use heapstone::Device;

use super::options::ReplayOptions;
use super::replayer::Replayer;
use super::report::{Report, TightComparison};
use super::tight::TightDevice;
use crate::error::TraceError;
use crate::model::Record;
use crate::open::Trace;

/// Calls handed over at once (chosen by measurement: handing over costs some microseconds).
pub const BATCH_SIZE: usize = 128;

/// Batches that may wait for a replayer.
const BATCHES_WAITING: usize = 4;

/// What a trace is replayed on.
#[derive(Debug)]
pub struct ReplayPlan {
    /// The device asked for.
    pub device: Device,
    /// How.
    pub options: ReplayOptions,
    /// Where the comparison with tight alignment runs; `None`: there is none.
    pub tight: Option<TightDevice>,
    /// Whether [`Report::memory`] is wanted.
    pub keeps_memory_log: bool,
}

type Batch = Arc<Vec<Record>>;

/// Replays a trace to its end. `progress` is called after each batch with the calls read so far.
///
/// Where strict replay stopped there is no comparison: the tight device may have gone further. How far
/// the trace was read behind that call depends on the threads, so what stands there is no error.
///
/// # Errors
/// Where the trace cannot be read on; what is refused, fails or is a mistake of the trace is in the
/// report instead.
pub fn replay<R: BufRead>(
    mut trace: Trace<R>,
    plan: ReplayPlan,
    mut progress: impl FnMut(u64),
) -> Result<Report, TraceError> {
    let header = trace.header().clone();
    let import = trace.import_notes().cloned();
    let ReplayPlan { device, options, tight, keeps_memory_log } = plan;
    let (sdk_raised, tier_switched_on) =
        tight.as_ref().map_or((false, false), |tight| (tight.sdk_raised, tight.tier_switched_on));
    // A comparison does not stop at what only tight alignment refuses.
    let tight_options = ReplayOptions { strict: false, ..options };
    let mut main = Replayer::new(device, options);
    if keeps_memory_log {
        main.keep_memory_log();
    }
    let tight = tight.map(|tight| Replayer::tight(tight.device, tight_options));

    let (read, main, tight) = thread::scope(|scope| {
        let (send, receive) = sync_channel(BATCHES_WAITING);
        let main = scope.spawn(move || run(main, &receive));
        let mut senders = vec![send];
        let tight = tight.map(|tight| {
            let (send, receive) = sync_channel(BATCHES_WAITING);
            senders.push(send);
            scope.spawn(move || run(tight, &receive))
        });
        let read = feed(&mut trace, &senders, &mut progress);
        drop(senders);
        let main = main.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        let tight = tight.map(|tight| tight.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        (read, main, tight)
    });

    let mut main = main;
    let memory = main.take_memory_log();
    let main = main.finish();
    if main.stopped.is_none() {
        read?;
    }
    let tight = tight.filter(|_| main.stopped.is_none()).map(|tight| {
        let descriptions = tight.tightened();
        let report = tight.finish();
        Box::new(TightComparison { sdk: report.sdk, sdk_raised, tier_switched_on, descriptions, report })
    });
    Ok(Report { trace: Some(header), import, tight, memory, ..main })
}

/// Hands the calls out until the trace or the first replayer ends.
fn feed<R: BufRead>(
    trace: &mut Trace<R>,
    senders: &[SyncSender<Batch>],
    progress: &mut impl FnMut(u64),
) -> Result<(), TraceError> {
    let mut calls = 0;
    let mut handed_out = VecDeque::new();
    loop {
        let mut batch = used_up(&mut handed_out);
        let records = Arc::get_mut(&mut batch).expect("invariant: nobody else holds it");
        records.clear();
        let mut read = Ok(());
        for record in trace.by_ref().take(BATCH_SIZE) {
            match record {
                Ok(record) => records.push(record),
                Err(error) => read = Err(error),
            }
        }
        if records.is_empty() {
            return read;
        }
        calls += crate::error::as_u64(records.len());
        handed_out.push_back(Arc::clone(&batch));
        for sender in senders {
            // A strict replay that stopped hangs up.
            if sender.send(Arc::clone(&batch)).is_err() {
                return Ok(());
            }
        }
        progress(calls);
        // The calls before the mistake were made: a strict replay may have stopped at one of them.
        read?;
    }
}

/// The batch that was handed out first, if all replayers are done with it; else a new one. Filled
/// again, it lies in the cache, and its memory was never given to the allocator by another thread.
fn used_up(handed_out: &mut VecDeque<Batch>) -> Batch {
    let is_free = handed_out.front_mut().is_some_and(|first| Arc::get_mut(first).is_some());
    let free = if is_free { handed_out.pop_front() } else { None };
    free.unwrap_or_else(|| Arc::new(Vec::with_capacity(BATCH_SIZE)))
}

fn run(mut replayer: Replayer, batches: &Receiver<Batch>) -> Replayer {
    for batch in batches {
        if replayer.steps(&batch).is_break() {
            return replayer;
        }
    }
    replayer
}
