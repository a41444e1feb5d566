//! Boxes of swizzled surfaces: the calls of the swizzle engine.

use std::sync::OnceLock;

use heapstone_driver::engine::RowPitches;
use heapstone_layout::swizzle::engine::{
    Backend, CompiledPattern, LinearPitch, SwizzleRegion, SwizzledImage,
};
use heapstone_layout::swizzle::{BlockStrides, SwizzleAddress};

use super::view::{Rows, Source, View};

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
    #[inline]
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

/// Copies rows into a box of the surface whose first byte is `to`'s. The two share no byte.
#[inline]
pub(crate) fn write_swizzled(to: View<'_>, region: &Region, from: Source<'_>, pitches: RowPitches) {
    let (image, region, pitch) = region.checked(to.size(), from.size(), pitches);
    // SAFETY: whoever makes a view sees to it that its bytes can be accessed while it lives; `checked` found
    // that the region reaches no others. The backend is one that there is. A race is as the engine's module
    // demands: both sides are raw memory.
    unsafe { image.write_raw(backend(), to.pointer(), &region, from.pointer(), pitch) }
}

/// Copies a box of the surface whose first byte is `from`'s into rows. The two share no byte.
#[inline]
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
