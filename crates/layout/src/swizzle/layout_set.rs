//! Texture layouts of a driver: which of up to 18 patterns each subresource has.
//!
//! ```text
//!                      mip range 0   1   2   3   4   5        18 patterns, plane-major
//!   plane range 0     [          0   1   2   3   4   5 ]
//!               1     [          6   7   8   9  10  11 ]      MipLevelSwizzleTransition[5] begin ranges 1 to 5
//!               2     [         12  13  14  15  16  17 ]      PlaneSliceSwizzleTransition[2] ranges 1 and 2
//! ```
//! A mip is in the range that the last transition at or below it begins: several at one mip leave the
//! ranges between them empty, and one beyond the last mip never comes (spec/2-resource-heaps.txt
//! 1402-1407).

use core::fmt;

use super::error::PatternError;

/// Mip ranges of a layout.
pub const MIP_RANGES: usize = 6;
/// Plane ranges of a layout.
pub const PLANE_RANGES: usize = 3;
/// Patterns of a layout (spec/2-resource-heaps.txt 1154).
pub const LAYOUT_PATTERNS: usize = MIP_RANGES * PLANE_RANGES;

/// D3D12DDI_SWIZZLE_PATTERN (spec/2-resource-heaps.txt 1146-1151).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PatternId(pub u32);

impl PatternId {
    /// D3D12DDI_SP_ROW_MAJOR.
    pub const ROW_MAJOR: PatternId = PatternId(0);
    /// D3D12DDI_SP_64KB_STANDARD_SWIZZLE.
    pub const STANDARD_64KB: PatternId = PatternId(3);
    /// D3D12DDI_SP_DEVICE_DEPENDENT_0.
    pub const DEVICE_DEPENDENT_0: PatternId = PatternId(0x100);

    /// The number of a device-dependent pattern.
    #[must_use]
    pub const fn device_dependent(self) -> Option<u32> {
        self.0.checked_sub(PatternId::DEVICE_DEPENDENT_0.0)
    }
}

impl fmt::Display for PatternId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.device_dependent()) {
            (PatternId::ROW_MAJOR, _) => f.write_str("D3D12DDI_SP_ROW_MAJOR"),
            (PatternId::STANDARD_64KB, _) => f.write_str("D3D12DDI_SP_64KB_STANDARD_SWIZZLE"),
            (_, Some(number)) => write!(f, "D3D12DDI_SP_DEVICE_DEPENDENT_{number}"),
            (PatternId(id), None) => write!(f, "{id:#x}"),
        }
    }
}

/// D3D12DDI_TEXTURE_LAYOUT (spec/2-resource-heaps.txt 1138-1145).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TextureLayoutId(pub u32);

impl TextureLayoutId {
    /// D3D12DDI_TL_UNDEFINED.
    pub const UNDEFINED: TextureLayoutId = TextureLayoutId(0);
    /// D3D12DDI_TL_ROW_MAJOR.
    pub const ROW_MAJOR: TextureLayoutId = TextureLayoutId(1);
    /// D3D12DDI_TL_64KB_TILE_UNDEFINED_SWIZZLE.
    pub const UNDEFINED_64KB: TextureLayoutId = TextureLayoutId(2);
    /// D3D12DDI_TL_64KB_TILE_STANDARD_SWIZZLE.
    pub const STANDARD_64KB: TextureLayoutId = TextureLayoutId(3);
    /// D3D12DDI_TL_DEVICE_DEPENDENT_SWIZZLE_0.
    pub const DEVICE_DEPENDENT_0: TextureLayoutId = TextureLayoutId(0x100);

    /// The number of a device-dependent layout.
    #[must_use]
    pub const fn device_dependent(self) -> Option<u32> {
        self.0.checked_sub(TextureLayoutId::DEVICE_DEPENDENT_0.0)
    }
}

impl fmt::Display for TextureLayoutId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self, self.device_dependent()) {
            (TextureLayoutId::UNDEFINED, _) => f.write_str("D3D12DDI_TL_UNDEFINED"),
            (TextureLayoutId::ROW_MAJOR, _) => f.write_str("D3D12DDI_TL_ROW_MAJOR"),
            (TextureLayoutId::UNDEFINED_64KB, _) => f.write_str("D3D12DDI_TL_64KB_TILE_UNDEFINED_SWIZZLE"),
            (TextureLayoutId::STANDARD_64KB, _) => f.write_str("D3D12DDI_TL_64KB_TILE_STANDARD_SWIZZLE"),
            (_, Some(number)) => write!(f, "D3D12DDI_TL_DEVICE_DEPENDENT_SWIZZLE_{number}"),
            (TextureLayoutId(id), None) => write!(f, "{id:#x}"),
        }
    }
}

/// The 18 patterns of a layout, plane-major, in decreasing detail of mips (spec/2-resource-heaps.txt
/// 1168-1170). A layout that has fewer repeats them (chosen).
pub type LayoutPatterns = [PatternId; LAYOUT_PATTERNS];

/// MipLevelSwizzleTransition and PlaneSliceSwizzleTransition of a resource
/// (D3D12DDI_RESOURCE_ALLOCATION_INFO_0022, spec/2-resource-heaps.txt 1375-1386): both non-decreasing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SwizzleTransitions {
    mip_levels: [u8; MIP_RANGES - 1],
    plane_slices: [u8; PLANE_RANGES - 1],
}

impl SwizzleTransitions {
    /// None at all: UINT8_MAX everywhere; every subresource has pattern 0.
    pub const NONE: SwizzleTransitions = SwizzleTransitions {
        mip_levels: [u8::MAX; MIP_RANGES - 1],
        plane_slices: [u8::MAX; PLANE_RANGES - 1],
    };

    /// The form of 0022: five transitions of mips and two of planes.
    ///
    /// # Errors
    /// [`LayoutSetError::Decreasing`] (spec/2-resource-heaps.txt 1402).
    pub fn new(
        mip_levels: [u8; MIP_RANGES - 1],
        plane_slices: [u8; PLANE_RANGES - 1],
    ) -> Result<SwizzleTransitions, LayoutSetError> {
        check_order("MipLevelSwizzleTransition", &mip_levels)?;
        check_order("PlaneSliceSwizzleTransition", &plane_slices)?;
        Ok(SwizzleTransitions { mip_levels, plane_slices })
    }

    /// The first form, of layouts of two patterns: one transition (MipLevelSwizzleTransition,
    /// spec/2-resource-heaps.txt 699-717).
    #[must_use]
    pub const fn of_two_patterns(mip_level: u8) -> SwizzleTransitions {
        let mut transitions = SwizzleTransitions::NONE;
        transitions.mip_levels[0] = mip_level;
        transitions
    }

    /// The second form, of layouts of six patterns: the first transition where it was, and four more
    /// (AdditionalMipLevelSwizzleTransitionsArray, spec/2-resource-heaps.txt 1081-1099).
    ///
    /// # Errors
    /// [`LayoutSetError::Decreasing`] (spec/2-resource-heaps.txt 1110).
    pub fn of_six_patterns(mip_level: u8, additional: [u8; 4]) -> Result<SwizzleTransitions, LayoutSetError> {
        let [second, third, fourth, fifth] = additional;
        SwizzleTransitions::new(
            [mip_level, second, third, fourth, fifth],
            SwizzleTransitions::NONE.plane_slices,
        )
    }

    /// The form of D3D11's GetResourceLayout: seven UINTs, five of mips and two of planes
    /// (spec/2-resource-heaps.txt 1459). One above 255 is out of every range, as 255 is.
    ///
    /// # Errors
    /// [`LayoutSetError::Decreasing`].
    pub fn of_uints(transitions: [u32; 7]) -> Result<SwizzleTransitions, LayoutSetError> {
        let [mip0, mip1, mip2, mip3, mip4, plane0, plane1] =
            transitions.map(|value| u8::try_from(value).unwrap_or(u8::MAX));
        SwizzleTransitions::new([mip0, mip1, mip2, mip3, mip4], [plane0, plane1])
    }

    /// MipLevelSwizzleTransition.
    #[must_use]
    pub const fn mip_levels(&self) -> [u8; MIP_RANGES - 1] {
        self.mip_levels
    }

    /// PlaneSliceSwizzleTransition.
    #[must_use]
    pub const fn plane_slices(&self) -> [u8; PLANE_RANGES - 1] {
        self.plane_slices
    }

    /// Which of a layout's patterns a subresource of that mip and plane has: 0 to 17.
    #[must_use]
    pub fn pattern_index(&self, mip: u32, plane: u32) -> usize {
        range_of(&self.plane_slices, plane) * MIP_RANGES + range_of(&self.mip_levels, mip)
    }
}

/// How many transitions are at or below `at`.
fn range_of(transitions: &[u8], at: u32) -> usize {
    transitions.iter().take_while(|transition| u32::from(**transition) <= at).count()
}

fn check_order(field: &'static str, transitions: &[u8]) -> Result<(), LayoutSetError> {
    for (index, pair) in transitions.windows(2).enumerate() {
        if let [before, value] = *pair
            && value < before
        {
            return Err(LayoutSetError::Decreasing { field, index: index + 1, value, before });
        }
    }
    Ok(())
}

/// Why the layouts and patterns of a driver are none, or a question to them has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutSetError {
    /// Transitions are in non-decreasing order (spec/2-resource-heaps.txt 1402).
    Decreasing {
        /// The array.
        field: &'static str,
        /// The element.
        index: usize,
        /// Its value.
        value: u8,
        /// The value before it.
        before: u8,
    },
    /// A device-dependent pattern is none.
    Pattern {
        /// Its number.
        number: u32,
        /// Why.
        error: PatternError,
    },
    /// Two device-dependent patterns are the same (spec/2-resource-heaps.txt 1152).
    DuplicatePattern {
        /// The number of the first.
        first: u32,
        /// The number of the second.
        second: u32,
    },
    /// Two device-dependent layouts are the same (spec/2-resource-heaps.txt 1152).
    DuplicateLayout {
        /// The number of the first.
        first: u32,
        /// The number of the second.
        second: u32,
    },
    /// A layout names a pattern that the driver does not have.
    UnknownPattern {
        /// The layout's number.
        layout: u32,
        /// The element of its 18.
        index: usize,
        /// What stands there.
        id: PatternId,
        /// DeviceDependentSwizzleCount.
        count: u32,
    },
    /// A question about a layout that the driver does not have, or whose patterns it does not choose.
    UnknownLayout {
        /// What was asked for.
        id: TextureLayoutId,
        /// DeviceDependentLayoutCount.
        count: u32,
    },
    /// Patterns are chosen by transitions, and one was asked for by its index; or the other way round
    /// (IndexableSwizzlePatterns, spec/2-resource-heaps.txt 1155).
    Indexable {
        /// IndexableSwizzlePatterns.
        indexable: bool,
    },
    /// ColumnPreSwizzleOffset is an index of one of 18 patterns (spec/2-resource-heaps.txt 1169).
    Index {
        /// What it is.
        column_pre_swizzle_offset: u32,
    },
}

impl fmt::Display for LayoutSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            LayoutSetError::Decreasing { field, index, value, before } => {
                write!(f, "{field}[{index}] is {value} after {before}; allowed: at least {before}")
            }
            LayoutSetError::Pattern { number, error } => {
                write!(f, "D3D12DDI_SP_DEVICE_DEPENDENT_{number}: {error}")
            }
            LayoutSetError::DuplicatePattern { first, second } => write!(
                f,
                "D3D12DDI_SP_DEVICE_DEPENDENT_{second} is D3D12DDI_SP_DEVICE_DEPENDENT_{first}; allowed: each pattern once"
            ),
            LayoutSetError::DuplicateLayout { first, second } => write!(
                f,
                "D3D12DDI_TL_DEVICE_DEPENDENT_SWIZZLE_{second} has the patterns of \
                 D3D12DDI_TL_DEVICE_DEPENDENT_SWIZZLE_{first}; allowed: each layout once"
            ),
            LayoutSetError::UnknownPattern { layout, index, id, count } => write!(
                f,
                "element {index} of D3D12DDI_TL_DEVICE_DEPENDENT_SWIZZLE_{layout} is {id}; allowed: \
                 D3D12DDI_SP_ROW_MAJOR, D3D12DDI_SP_64KB_STANDARD_SWIZZLE, {count} device-dependent patterns"
            ),
            LayoutSetError::UnknownLayout { id, count } => {
                write!(f, "the layout is {id}; allowed: one of {count} device-dependent layouts")
            }
            LayoutSetError::Indexable { indexable: true } => f.write_str(
                "patterns were asked for by transitions beside IndexableSwizzlePatterns; allowed: an index per subresource",
            ),
            LayoutSetError::Indexable { indexable: false } => f.write_str(
                "a pattern was asked for by its index without IndexableSwizzlePatterns; allowed: transitions of the resource",
            ),
            LayoutSetError::Index { column_pre_swizzle_offset } => write!(
                f,
                "ColumnPreSwizzleOffset is {column_pre_swizzle_offset} beside IndexableSwizzlePatterns; allowed: 0 to {}",
                LAYOUT_PATTERNS - 1
            ),
        }
    }
}

impl core::error::Error for LayoutSetError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            LayoutSetError::Pattern { error, .. } => Some(error),
            _ => None,
        }
    }
}
