//! Extents whose unit is in the type: texels, elements, tiles or blocks.
//!
//! ```text
//!   Texels --(/ block width, height of the format)--> Elements --(/ tile shape)--> Tiles
//! ```
//! An *element* is what one address of a surface holds: a texel, or a compressed block of 4x4.

use core::fmt;
use core::marker::PhantomData;

/// A unit that an [`Extent`] counts in.
pub trait Unit: Copy {
    /// The unit's name, plural, for messages.
    const NAME: &'static str;
}

macro_rules! unit {
    ($($(#[$doc:meta])* $name:ident = $text:literal),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {}
        impl Unit for $name {
            const NAME: &'static str = $text;
        }
    )*};
}

unit! {
    /// Texels, as a resource description counts them.
    Texels = "texels",
    /// Texels or compressed blocks: what one address of a surface holds.
    Elements = "elements",
    /// Tiles: what D3D12 maps one page of a reserved resource to.
    Tiles = "tiles",
    /// Blocks of a swizzle pattern.
    Blocks = "blocks",
}

/// Width, height and depth, counted in `U`.
pub struct Extent<U> {
    /// Along x.
    pub width: u64,
    /// Along y.
    pub height: u32,
    /// Along z.
    pub depth: u32,
    unit: PhantomData<U>,
}

// Derives would demand the same of `U`, which is only a marker.
impl<U> Clone for Extent<U> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<U> Copy for Extent<U> {}
impl<U> PartialEq for Extent<U> {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height, self.depth) == (other.width, other.height, other.depth)
    }
}
impl<U> Eq for Extent<U> {}

impl<U: Unit> Extent<U> {
    /// An extent of `width` x `height` x `depth`.
    #[must_use]
    pub const fn new(width: u64, height: u32, depth: u32) -> Self {
        Extent { width, height, depth, unit: PhantomData }
    }

    /// The number of units it holds, or `None` beyond 64 bits.
    #[must_use]
    pub fn checked_count(self) -> Option<u64> {
        // Two u32 fit in 64 bits; only the width can overflow.
        self.width.checked_mul(u64::from(self.height) * u64::from(self.depth))
    }

    /// The number of `shape`s that cover it along each axis. `shape` has no zero.
    #[must_use]
    pub fn div_ceil<V: Unit>(self, shape: Extent<U>) -> Extent<V> {
        Extent::new(
            div_ceil_u64(self.width, shape.width),
            div_ceil_u32(self.height, shape.height),
            div_ceil_u32(self.depth, shape.depth),
        )
    }

    /// Whether every axis is a multiple of `shape`'s.
    #[must_use]
    pub const fn is_multiple_of(self, shape: Extent<U>) -> bool {
        self.width.is_multiple_of(shape.width)
            && self.height.is_multiple_of(shape.height)
            && self.depth.is_multiple_of(shape.depth)
    }

    /// Whether `shape` fits inside along every axis.
    #[must_use]
    pub const fn contains(self, shape: Extent<U>) -> bool {
        self.width >= shape.width && self.height >= shape.height && self.depth >= shape.depth
    }
}

impl<U: Unit> fmt::Debug for Extent<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} {}", U::NAME)
    }
}

impl<U: Unit> fmt::Display for Extent<U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.width, self.height, self.depth)
    }
}

/// `ceil(value / divisor)`; `divisor` is not zero.
#[must_use]
pub const fn div_ceil_u32(value: u32, divisor: u32) -> u32 {
    value.div_ceil(divisor)
}

/// `ceil(value / divisor)`; `divisor` is not zero.
#[must_use]
pub const fn div_ceil_u64(value: u64, divisor: u64) -> u64 {
    value.div_ceil(divisor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_of_odd_extents() {
        let shape = Extent::<Elements>::new(128, 128, 1);
        let tiles: Extent<Tiles> = Extent::<Elements>::new(1920, 1080, 1).div_ceil(shape);
        assert_eq!(tiles, Extent::new(15, 9, 1));
        assert_eq!(tiles.checked_count(), Some(135));
        let one: Extent<Tiles> = Extent::<Elements>::new(1, 1, 1).div_ceil(shape);
        assert_eq!(one.checked_count(), Some(1));
    }

    #[test]
    fn counts_that_leave_64_bits_are_none() {
        let max = Extent::<Texels>::new(u64::MAX, u32::MAX, u32::MAX);
        assert_eq!(max.checked_count(), None);
        let max: Extent<Tiles> = max.div_ceil(Extent::new(1, 1, 1));
        assert_eq!(max.width, u64::MAX);
        assert_eq!(
            Extent::<Texels>::new(1, u32::MAX, u32::MAX).checked_count(),
            Some(18_446_744_065_119_617_025)
        );
    }
}
