//! How objects hold their device without a counter that all threads fight for.
//!
//! ```text
//!   Device (handle) --> DeviceInner <-- Anchor 0 <-- heaps, resources created by some threads
//!          '--> Anchors --> Anchor 0..15 <-- Anchor 1 <-- those created by others
//! ```
//! Every object keeps its device alive. Were that one reference count, two threads that create and
//! release resources would pass its cache line back and forth at every call. So an object counts on an
//! anchor, of which there are several; an anchor holds the device. Which anchor a thread uses shows
//! nowhere.

use core::cell::Cell;
use core::ops::Deref;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::DeviceInner;
use crate::gpu::Timeline;

/// More than the threads that create at once on ordinary machines (chosen).
const ANCHOR_COUNT: usize = 16;

/// The anchors of a device; its handles hold them.
pub(crate) struct Anchors {
    anchors: [Arc<Anchor>; ANCHOR_COUNT],
    /// Once a queue or fence was created.
    timeline: OnceLock<Arc<Timeline>>,
}

/// One reference to the device, shared by many objects. Alone in its cache lines, as its count is what
/// threads write.
#[repr(align(128))]
pub(crate) struct Anchor {
    device: Arc<DeviceInner>,
}

/// An object's reference to its device.
pub(crate) struct DeviceRef(Arc<Anchor>);

impl Anchors {
    pub(super) fn new(device: &Arc<DeviceInner>) -> Arc<Anchors> {
        let anchors = core::array::from_fn(|_| Arc::new(Anchor { device: Arc::clone(device) }));
        Arc::new(Anchors { anchors, timeline: OnceLock::new() })
    }

    /// A reference for an object that the current thread creates.
    #[inline]
    pub(super) fn reference(&self) -> DeviceRef {
        DeviceRef(Arc::clone(&self.anchors[stripe()]))
    }

    pub(super) fn timeline(&self) -> &Arc<Timeline> {
        self.timeline.get_or_init(|| self.anchors[0].device.gpu.timeline())
    }
}

impl DeviceRef {
    pub(crate) fn inner(&self) -> &Arc<DeviceInner> {
        &self.0.device
    }
}

impl Deref for DeviceRef {
    type Target = DeviceInner;

    #[inline]
    fn deref(&self) -> &DeviceInner {
        &self.0.device
    }
}

/// The current thread's stripe: threads take them in turn, when they first create something.
#[inline]
pub(crate) fn stripe() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static STRIPE: Cell<Option<usize>> = const { Cell::new(None) };
    }
    if let Some(stripe) = STRIPE.get() {
        return stripe;
    }
    let stripe = NEXT.fetch_add(1, Ordering::Relaxed) % ANCHOR_COUNT;
    STRIPE.set(Some(stripe));
    stripe
}
