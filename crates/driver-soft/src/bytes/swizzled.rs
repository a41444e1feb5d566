//! Boxes of swizzled surfaces: the calls of the swizzle engine.

use std::sync::OnceLock;

use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::engine::{
    Backend, BoxPlan, CompiledPattern, LinearPitch, STREAM_BYTES, SwizzleRegion, SwizzledImage, order_streams,
};
use heapstone_layout::swizzle::{BlockStrides, SwizzleAddress};

use super::view::{HeapBytes, Rows, Source, View};

/// A box of a swizzled surface, of one sample.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) pattern: &'static CompiledPattern,
    pub(crate) strides: BlockStrides,
    /// Bytes along the row before it.
    pub(crate) x_bytes: u64,
    pub(crate) y: u32,
    pub(crate) z: u32,
    pub(crate) sample: u32,
    /// Its rows, without what lies between them.
    pub(crate) rows: Rows,
}

impl Region {
    /// Bytes from the surface's first to the box's first.
    pub(crate) fn first_byte(&self) -> u64 {
        let at = SwizzleAddress { x_bytes: self.x_bytes, y: self.y, z: self.z, sample: self.sample };
        self.pattern.offset(at, self.strides)
    }

    /// As the engine says it, once it found that the box lies in a surface of `swizzled` bytes and its rows in
    /// `linear`.
    #[inline(always)]
    fn checked(
        &self,
        swizzled: usize,
        linear: usize,
        pitches: RowPitches,
    ) -> (SwizzledImage<'static>, SwizzleRegion, LinearPitch) {
        let image = SwizzledImage { pattern: self.pattern, strides: self.strides };
        let Rows { width, height, depth } = self.rows;
        let region = SwizzleRegion {
            x_bytes: self.x_bytes,
            y: self.y,
            z: self.z,
            sample: self.sample,
            width_bytes: width,
            height,
            depth,
        };
        let pitch = LinearPitch { row: pitches.row, slice: pitches.slice };
        if let Err(error) = image.check(swizzled, &region, linear, pitch) {
            panic!("bug: {region:?} of {pitch:?} was not checked: {error}");
        }
        (image, region, pitch)
    }
}

/// A surface of one sample with its bytes, checked as a whole, so that copies of small boxes need little more
/// than to compare the box with it.
#[derive(Clone, Debug)]
pub(crate) struct SurfaceBytes {
    bytes: HeapBytes,
    image: SwizzledImage<'static>,
    /// Bytes along a row.
    width: u64,
    height: u32,
    depth: u32,
    /// Of the copy before: boxes come in rows of one size.
    last: KnownBoxes,
}

/// What is known of boxes of one size, with rows at one pitch.
#[derive(Clone, Debug)]
struct KnownBoxes {
    rows: Rows,
    pitches: RowPitches,
    /// From the rows' first byte to behind their last; `None` where that leaves 64 bits.
    end: Option<u64>,
    /// In a box.
    bytes: u64,
    plan: Plan,
}

/// How boxes of one size are copied.
#[derive(Clone, Debug)]
enum Plan {
    /// So many more boxes are copied without.
    After(u8),
    /// There is none.
    Impossible,
    Made(Box<BoxPlan<'static>>),
}

impl KnownBoxes {
    /// Boxes of one size in a row before there is a plan (chosen: it costs about as much as to copy two without).
    const BEFORE_PLAN: u8 = 3;

    const NONE: KnownBoxes = KnownBoxes {
        rows: Rows { width: 0, height: 0, depth: 0 },
        pitches: RowPitches { row: 0, slice: 0 },
        end: Some(0),
        bytes: 0,
        plan: Plan::Impossible,
    };

    fn new(rows: Rows, pitches: RowPitches) -> KnownBoxes {
        let count = u64::from(rows.height).saturating_mul(rows.depth.into());
        let bytes = rows.width.saturating_mul(count);
        KnownBoxes {
            rows,
            pitches,
            end: rows.end(pitches),
            bytes,
            plan: Plan::After(KnownBoxes::BEFORE_PLAN),
        }
    }

    /// One more box is copied, before which there may be so many without a plan.
    #[cold]
    fn count(&mut self, left: u8, image: &SwizzledImage<'static>) {
        if let Some(left) = left.checked_sub(1) {
            self.plan = Plan::After(left);
            return;
        }
        let Rows { width, height, depth } = self.rows;
        let region = SwizzleRegion { width_bytes: width, height, depth, ..SwizzleRegion::default() };
        let pitch = LinearPitch { row: self.pitches.row, slice: self.pitches.slice };
        self.plan =
            image.plan(backend(), &region, pitch).map_or(Plan::Impossible, |plan| Plan::Made(Box::new(plan)));
    }
}

impl SurfaceBytes {
    /// A surface of `rows` whose bytes are `bytes`; `None` where those do not hold it.
    pub(crate) fn new(
        bytes: HeapBytes,
        pattern: &'static CompiledPattern,
        strides: BlockStrides,
        rows: Rows,
    ) -> Option<SurfaceBytes> {
        let image = SwizzledImage { pattern, strides };
        let Rows { width, height, depth } = rows;
        let all = SwizzleRegion { width_bytes: width, height, depth, ..SwizzleRegion::default() };
        // Offsets grow with each coordinate: what holds of all holds of any part.
        image.check(bytes.view().size(), &all, usize::MAX, LinearPitch::default()).ok()?;
        Some(SurfaceBytes { bytes, image, width, height, depth, last: KnownBoxes::NONE })
    }

    /// Copies rows into the box of them that begins at `(x_bytes, y, z)`, or if `!WRITE` the box into the rows. The
    /// bytes of the box, if it did: not where the box leaves the surface or the rows leave theirs, nor where both sides
    /// may share bytes. Before anybody else is told of it, [`order_copies`] is to be called.
    #[inline(always)]
    pub(crate) fn copy<const WRITE: bool>(
        &mut self,
        at: (u64, u32, u32),
        rows: Rows,
        linear: View<'_>,
        pitches: RowPitches,
    ) -> Option<u64> {
        if self.last.rows != rows || self.last.pitches != pitches {
            self.last = KnownBoxes::new(rows, pitches);
        } else if let Plan::After(left) = self.last.plan {
            self.last.count(left, &self.image);
        }
        let (x_bytes, y, z) = at;
        let Rows { width, height, depth } = rows;
        let own = self.bytes.view();
        let is_inside = x_bytes.checked_add(width).is_some_and(|end| end <= self.width)
            && u64::from(y) + u64::from(height) <= u64::from(self.height)
            && u64::from(z) + u64::from(depth) <= u64::from(self.depth)
            && self.last.end.is_some_and(|end| end <= linear.size_u64());
        if !is_inside || own.overlaps(linear) {
            return None;
        }
        let (surface, linear) = (own.pointer(), linear.pointer());
        match &self.last.plan {
            Plan::Made(plan) if plan.begins_at(x_bytes, y, z) => {
                if WRITE && own.size_u64() > STREAM_BYTES {
                    // SAFETY: whoever makes a view sees to it that its bytes can be accessed while it lives. The box
                    // lies in the surface, all of which lies in `own`, and its rows in `linear`; the two do not
                    // overlap. The plan is of boxes and rows like these, and of a backend that there is.
                    unsafe { plan.write_around_raw(surface, at, linear) }
                } else if WRITE {
                    // SAFETY: as above.
                    unsafe { plan.write_raw(surface, at, linear) }
                } else {
                    // SAFETY: as above.
                    unsafe { plan.read_raw(surface, at, linear) }
                }
            }
            _ => {
                let region = SwizzleRegion { x_bytes, y, z, sample: 0, width_bytes: width, height, depth };
                let pitch = LinearPitch { row: pitches.row, slice: pitches.slice };
                // SAFETY: as above.
                unsafe { self.copy_unplanned::<WRITE>(&region, linear, pitch) }
            }
        }
        Some(self.last.bytes)
    }

    /// # Safety
    /// The region lies in the surface, its rows from `linear` on can be accessed, and the two do not overlap.
    #[inline(never)]
    unsafe fn copy_unplanned<const WRITE: bool>(
        &self,
        region: &SwizzleRegion,
        linear: *mut u8,
        pitch: LinearPitch,
    ) {
        let own = self.bytes.view();
        if WRITE && own.size_u64() > STREAM_BYTES {
            // SAFETY: as this function demands of its caller; the backend is one that there is.
            unsafe { self.image.write_around_raw(backend(), own.pointer(), region, linear, pitch) }
        } else if WRITE {
            // SAFETY: as above.
            unsafe { self.image.write_raw(backend(), own.pointer(), region, linear, pitch) }
        } else {
            // SAFETY: as above.
            unsafe { self.image.read_raw(backend(), own.pointer(), region, linear, pitch) }
        }
    }
}

/// Orders what [`SurfaceBytes::copy`] wrote before what this thread writes from now on.
#[inline]
pub(crate) fn order_copies() {
    order_streams();
}

/// Copies rows into a box of the surface whose first byte is `to`'s. The two share no byte.
#[inline(always)]
pub(crate) fn write_swizzled(to: View<'_>, region: &Region, from: Source<'_>, pitches: RowPitches) {
    let (image, region, pitch) = region.checked(to.size(), from.size(), pitches);
    // SAFETY: whoever makes a view sees to it that its bytes can be accessed while it lives; `checked` found
    // that the region reaches no others. The backend is one that there is. A race is as the engine's module
    // demands: both sides are raw memory.
    unsafe { image.write_raw(backend(), to.pointer(), &region, from.pointer(), pitch) }
}

/// Copies a box of the surface whose first byte is `from`'s into rows. The two share no byte.
#[inline(always)]
pub(crate) fn read_swizzled(from: Source<'_>, region: &Region, to: View<'_>, pitches: RowPitches) {
    let (image, region, pitch) = region.checked(from.size(), to.size(), pitches);
    // SAFETY: as in `write_swizzled`.
    unsafe { image.read_raw(backend(), from.pointer(), &region, to.pointer(), pitch) }
}

/// The fastest that there is: asking once is quicker than asking for each copy.
#[inline]
fn backend() -> Backend {
    static BACKEND: OnceLock<Backend> = OnceLock::new();
    *BACKEND.get_or_init(Backend::detect)
}
