//! What a driver answers to GetCaps about its texture layouts (D3D12DDICAPS_TYPE_0022_TEXTURE_LAYOUT,
//! D3D12DDICAPS_TYPE_0022_SWIZZLE_PATTERN: spec/2-resource-heaps.txt 1120-1204).

use std::collections::BTreeSet;

use heapstone_spec::profile::SwizzleFamily;
use heapstone_spec::{Format, ResourceDesc, ResourceDimension, TextureLayout};

use super::families::pattern_of;
use super::layout_set::{
    LAYOUT_PATTERNS, LayoutPatterns, LayoutSetError, MIP_RANGES, PLANE_RANGES, PatternId, SwizzleTransitions,
    TextureLayoutId,
};
use super::pattern::{BitEntry, Channel, SwizzlePattern};
use crate::blocks::{Cut, ResolvedPattern};
use crate::planes;
use crate::rules::LayoutRules;
use crate::surface::{self, Geometry, Plan};
use crate::texture_surfaces::restriction;

/// D3D12DDI_TEXTURE_LAYOUT_CAPS_0026 (spec/2-resource-heaps.txt 1130-1137) and what its numbers count, but
/// for what [`Caps`](heapstone_spec::profile::Caps) say of the adapter: Supports64KStandardSwizzle is
/// `standard_swizzle_64kb`, SupportsRowMajorTexture `cross_adapter_row_major_texture`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutCaps {
    layouts: Vec<LayoutPatterns>,
    patterns: Vec<SwizzlePattern>,
    indexable: bool,
}

/// What a driver chose for a texture (Layout and the transitions of
/// D3D12DDI_RESOURCE_ALLOCATION_INFO_0022, spec/2-resource-heaps.txt 1375-1386).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenLayout {
    /// Layout.
    pub layout: TextureLayoutId,
    /// MipLevelSwizzleTransition, PlaneSliceSwizzleTransition.
    pub transitions: SwizzleTransitions,
}

impl LayoutCaps {
    /// The caps of a driver with these device-dependent layouts and patterns.
    ///
    /// # Errors
    /// A pattern that is none, one that is there twice, a layout that is there twice, one that names a
    /// pattern that is not there.
    pub fn new(
        layouts: Vec<LayoutPatterns>,
        patterns: Vec<SwizzlePattern>,
        indexable: bool,
    ) -> Result<LayoutCaps, LayoutSetError> {
        for (number, pattern) in (0..).zip(&patterns) {
            pattern.block().map_err(|error| LayoutSetError::Pattern { number, error })?;
        }
        if let Some((first, second)) = duplicate(&patterns) {
            return Err(LayoutSetError::DuplicatePattern { first, second });
        }
        if let Some((first, second)) = duplicate(&layouts) {
            return Err(LayoutSetError::DuplicateLayout { first, second });
        }
        let count = count(&patterns);
        for (layout, ids) in (0..).zip(&layouts) {
            for (index, id) in ids.iter().copied().enumerate() {
                let known = matches!(id, PatternId::ROW_MAJOR | PatternId::STANDARD_64KB)
                    || id.device_dependent().is_some_and(|number| number < count);
                if !known {
                    return Err(LayoutSetError::UnknownPattern { layout, index, id, count });
                }
            }
        }
        Ok(LayoutCaps { layouts, patterns, indexable })
    }

    /// The caps of the driver of these rules: a layout for each way in which the planes of a texture are
    /// swizzled. The pattern of a tail is row-major, or has the samples of an element side by side.
    #[must_use]
    pub fn of_rules(rules: &LayoutRules) -> LayoutCaps {
        let mut caps = LayoutCaps { layouts: Vec::new(), patterns: Vec::new(), indexable: false };
        for planes in plane_elements() {
            for choice in choices(rules) {
                for dimension in [ResourceDimension::Texture2D, ResourceDimension::Texture3D] {
                    let several = dimension == ResourceDimension::Texture2D;
                    for samples_log2 in (0..=5_u8)
                        .filter(|log2| *log2 == 0 || several && rules.caps.takes_sample_count(1 << log2))
                    {
                        let cuts = choice.cuts(&planes, dimension, samples_log2);
                        for order in TailOrder::of_planes(planes.len()) {
                            caps.add_layout(rules, &cuts, *order);
                        }
                    }
                }
            }
        }
        caps
    }

    /// DeviceDependentLayoutCount.
    #[must_use]
    pub fn device_dependent_layout_count(&self) -> u32 {
        count(&self.layouts)
    }

    /// DeviceDependentSwizzleCount.
    #[must_use]
    pub fn device_dependent_swizzle_count(&self) -> u32 {
        count(&self.patterns)
    }

    /// IndexableSwizzlePatterns.
    #[must_use]
    pub const fn indexable_swizzle_patterns(&self) -> bool {
        self.indexable
    }

    /// The 18 patterns of a device-dependent layout.
    ///
    /// # Errors
    /// [`LayoutSetError::UnknownLayout`].
    pub fn layout(&self, id: TextureLayoutId) -> Result<&LayoutPatterns, LayoutSetError> {
        element(&self.layouts, id.device_dependent())
            .ok_or_else(|| LayoutSetError::UnknownLayout { id, count: self.device_dependent_layout_count() })
    }

    /// The description of a device-dependent pattern; `None` of the others, whose descriptions depend on
    /// the element, and where there is no such pattern.
    #[must_use]
    pub fn pattern(&self, id: PatternId) -> Option<&SwizzlePattern> {
        element(&self.patterns, id.device_dependent())
    }

    /// The pattern of a subresource of a texture with that layout and these transitions. Of
    /// [`TextureLayoutId::ROW_MAJOR`] and [`TextureLayoutId::STANDARD_64KB`] it is the one of that name.
    ///
    /// # Errors
    /// [`LayoutSetError::UnknownLayout`], and [`LayoutSetError::Indexable`] where patterns are chosen by index.
    pub fn pattern_of(
        &self,
        layout: TextureLayoutId,
        transitions: &SwizzleTransitions,
        mip: u32,
        plane: u32,
    ) -> Result<PatternId, LayoutSetError> {
        match layout {
            TextureLayoutId::ROW_MAJOR => Ok(PatternId::ROW_MAJOR),
            TextureLayoutId::STANDARD_64KB => Ok(PatternId::STANDARD_64KB),
            _ if self.indexable => Err(LayoutSetError::Indexable { indexable: true }),
            // An index of transitions is below 18.
            _ => Ok(self.layout(layout)?[transitions.pattern_index(mip, plane)]),
        }
    }

    /// The pattern of a subresource whose ColumnPreSwizzleOffset is an index of its layout's patterns
    /// (spec/2-resource-heaps.txt 1169).
    ///
    /// # Errors
    /// [`LayoutSetError::UnknownLayout`], [`LayoutSetError::Index`], and [`LayoutSetError::Indexable`] where
    /// patterns are chosen by transitions.
    pub fn indexed_pattern(
        &self,
        layout: TextureLayoutId,
        column_pre_swizzle_offset: u32,
    ) -> Result<PatternId, LayoutSetError> {
        if !self.indexable {
            return Err(LayoutSetError::Indexable { indexable: false });
        }
        element(self.layout(layout)?, Some(column_pre_swizzle_offset))
            .copied()
            .ok_or(LayoutSetError::Index { column_pre_swizzle_offset })
    }

    /// What the driver of `rules`, which these caps are of, chooses for a legal texture description; `None`
    /// of buffers and where a size leaves 64 bits.
    #[must_use]
    pub fn chosen_layout(&self, rules: &LayoutRules, desc: &ResourceDesc) -> Option<ChosenLayout> {
        let fixed = |layout| Some(ChosenLayout { layout, transitions: SwizzleTransitions::NONE });
        match desc.layout {
            _ if desc.is_buffer() => return None,
            TextureLayout::RowMajor => return fixed(TextureLayoutId::ROW_MAJOR),
            TextureLayout::Standard64KbSwizzle => return fixed(TextureLayoutId::STANDARD_64KB),
            TextureLayout::Unknown | TextureLayout::Undefined64KbSwizzle => {}
        }
        let geometry = Geometry::new(desc);
        let plan = Plan::new(rules, desc, &geometry, restriction(desc));
        let mut cuts = Vec::with_capacity(3);
        let mut tails = Vec::with_capacity(3);
        for plane in geometry.planes.iter() {
            let block = plan.block(&geometry, plane)?;
            let slice = surface::measure_slice(&geometry, plane, block, plan.rule)?;
            cuts.push((plan.plane_pattern(&geometry, plane)?, geometry.cut(plane)));
            tails.push(u8::try_from(slice.tail_mip).unwrap_or(u8::MAX));
        }
        // All planes after the first are alike in every format.
        let (first, last) = (*tails.first()?, *tails.last()?);
        let order = if last <= first { TailOrder::OthersFirst } else { TailOrder::FirstPlaneFirst };
        let mut ids = [PatternId::ROW_MAJOR; LAYOUT_PATTERNS];
        for (id, source) in ids.iter_mut().zip(sources(rules, &cuts, order)) {
            *id = source.id(|pattern| self.patterns.iter().position(|known| known == pattern))?;
        }
        if ids == [PatternId::ROW_MAJOR; LAYOUT_PATTERNS] {
            return fixed(TextureLayoutId::ROW_MAJOR);
        }
        let number = self.layouts.iter().position(|known| *known == ids)?;
        let layout = TextureLayoutId(numbered(TextureLayoutId::DEVICE_DEPENDENT_0.0, number)?);
        let planes = if tails.len() == 1 { [u8::MAX; 2] } else { [1, 2] };
        let none = u8::MAX;
        let transitions =
            SwizzleTransitions::new([last.min(first), last.max(first), none, none, none], planes).ok()?;
        Some(ChosenLayout { layout, transitions })
    }

    /// Adds a layout of planes so cut, and its patterns, unless they are there or it is row-major.
    fn add_layout(&mut self, rules: &LayoutRules, cuts: &[(ResolvedPattern, Cut)], order: TailOrder) {
        let mut ids = [PatternId::ROW_MAJOR; LAYOUT_PATTERNS];
        for (id, source) in ids.iter_mut().zip(sources(rules, cuts, order)) {
            let known = source.id(|pattern| {
                let number = self.patterns.iter().position(|known| known == pattern);
                Some(number.unwrap_or_else(|| {
                    self.patterns.push(*pattern);
                    self.patterns.len() - 1
                }))
            });
            let Some(known) = known else { return };
            *id = known;
        }
        if ids != [PatternId::ROW_MAJOR; LAYOUT_PATTERNS] && !self.layouts.contains(&ids) {
            self.layouts.push(ids);
        }
    }
}

/// A pattern before it has a number.
enum PatternSource {
    RowMajor,
    Standard64Kb,
    Own(Box<SwizzlePattern>),
}

impl PatternSource {
    /// Of a surface that is cut so and not in a tail. The standard swizzle is what the adapter says it has
    /// under that name, for one sample.
    fn of_blocks(rules: &LayoutRules, pattern: ResolvedPattern, cut: Cut) -> PatternSource {
        let standard = matches!(
            pattern,
            ResolvedPattern::Standard64KbTiles
                | ResolvedPattern::Undefined64KbTiles
                | ResolvedPattern::Family(SwizzleFamily::Standard64Kb)
        );
        match pattern_of(pattern, cut) {
            None => PatternSource::of_rows(cut),
            Some(_) if standard && rules.caps.standard_swizzle_64kb && cut.samples_log2 == 0 => {
                PatternSource::Standard64Kb
            }
            Some(own) => PatternSource::Own(Box::new(*own.pattern())),
        }
    }

    /// Of rows, in which the samples of an element lie beside each other.
    fn of_rows(cut: Cut) -> PatternSource {
        if cut.samples_log2 == 0 {
            return PatternSource::RowMajor;
        }
        let mut pattern = SwizzlePattern::row_major(cut.bytes_log2);
        let samples = (0..cut.samples_log2).map(|bit| BitEntry { channel: Channel::Sample, bit });
        for (slot, entry) in pattern.interleave.iter_mut().skip(usize::from(cut.bytes_log2)).zip(samples) {
            *slot = Some(entry);
        }
        PatternSource::Own(Box::new(pattern))
    }

    /// Its id, where `number` finds its number.
    fn id(&self, number: impl FnOnce(&SwizzlePattern) -> Option<usize>) -> Option<PatternId> {
        match self {
            PatternSource::RowMajor => Some(PatternId::ROW_MAJOR),
            PatternSource::Standard64Kb => Some(PatternId::STANDARD_64KB),
            PatternSource::Own(pattern) => {
                numbered(PatternId::DEVICE_DEPENDENT_0.0, number(pattern)?).map(PatternId)
            }
        }
    }
}

/// Whose tail begins at the first transition of a layout of several planes; that of the others begins at
/// the second, which may be at the same mip.
#[derive(Clone, Copy)]
enum TailOrder {
    /// That of the planes after the first: of chroma that is subsampled both ways, and of stencil.
    OthersFirst,
    /// That of the first plane: of chroma with all rows, whose blocks are no higher in texels.
    FirstPlaneFirst,
}

impl TailOrder {
    /// Those that occur: one plane needs no more than one.
    const fn of_planes(count: usize) -> &'static [TailOrder] {
        if count > 1 {
            &[TailOrder::OthersFirst, TailOrder::FirstPlaneFirst]
        } else {
            &[TailOrder::OthersFirst]
        }
    }

    /// Ranges of mips in which a plane has its own pattern.
    const fn own_ranges(self, plane: usize) -> usize {
        match (self, plane) {
            (TailOrder::OthersFirst, 0) | (TailOrder::FirstPlaneFirst, 1..) => 2,
            (TailOrder::OthersFirst, 1..) | (TailOrder::FirstPlaneFirst, 0) => 1,
        }
    }
}

/// The 18 patterns of planes so cut: their own in as many ranges of mips as `order` says, then the tail's.
/// Planes beyond the last are like it.
fn sources(rules: &LayoutRules, cuts: &[(ResolvedPattern, Cut)], order: TailOrder) -> Vec<PatternSource> {
    let mut all = Vec::with_capacity(LAYOUT_PATTERNS);
    for plane in 0..PLANE_RANGES {
        let Some((pattern, cut)) = cuts.get(plane).or(cuts.last()).copied() else { continue };
        for range in 0..MIP_RANGES {
            all.push(if range < order.own_ranges(plane) {
                PatternSource::of_blocks(rules, pattern, cut)
            } else {
                PatternSource::of_rows(cut)
            });
        }
    }
    all
}

/// The patterns that a driver chooses among for the planes of one texture.
#[derive(Clone, Copy)]
struct Choice {
    first_plane: ResolvedPattern,
    other_planes: ResolvedPattern,
}

impl Choice {
    const fn all_planes(pattern: ResolvedPattern) -> Choice {
        Choice { first_plane: pattern, other_planes: pattern }
    }

    /// Planes of elements of these bytes.
    fn cuts(
        self,
        planes: &[u8],
        dimension: ResourceDimension,
        samples_log2: u8,
    ) -> Vec<(ResolvedPattern, Cut)> {
        (0..)
            .zip(planes)
            .map(|(plane, bytes_log2)| {
                let pattern = if plane == 0 { self.first_plane } else { self.other_planes };
                (pattern, Cut { dimension, bytes_log2: *bytes_log2, samples_log2 })
            })
            .collect()
    }
}

/// The profile's own, those of small textures and of the 64KB layouts, and blocks of 64 KiB of planes that
/// do not fill one of 256 KiB, as one plane may where another does.
fn choices(rules: &LayoutRules) -> Vec<Choice> {
    let own = ResolvedPattern::Family(rules.layout.unknown_pattern);
    let small = ResolvedPattern::Family(SwizzleFamily::Standard4Kb);
    let tiles = ResolvedPattern::Undefined64KbTiles;
    let mut choices = vec![Choice::all_planes(own), Choice::all_planes(tiles)];
    if rules.layout.unknown_pattern != SwizzleFamily::Linear {
        choices.push(Choice::all_planes(small));
    }
    if rules.layout.unknown_pattern == SwizzleFamily::Amd256Kb {
        choices.push(Choice { first_plane: own, other_planes: tiles });
        choices.push(Choice { first_plane: tiles, other_planes: own });
    }
    choices
}

/// Bytes of an element of each plane, as exponents: every combination that a format has.
fn plane_elements() -> BTreeSet<Vec<u8>> {
    Format::ALL
        .iter()
        .map(|format| planes::of(*format).iter().map(|plane| plane.bytes_log2).collect())
        .collect()
}

fn element<T>(list: &[T], number: Option<u32>) -> Option<&T> {
    list.get(usize::try_from(number?).ok()?)
}

/// An id with a number.
fn numbered(first: u32, number: usize) -> Option<u32> {
    u32::try_from(number).ok()?.checked_add(first)
}

/// Of ids, which are 32 bits.
fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// The first two elements that are equal.
fn duplicate<T: PartialEq>(list: &[T]) -> Option<(u32, u32)> {
    (0..).zip(list).find_map(|(second, element)| {
        let first = list.iter().position(|earlier| earlier == element)?;
        let first = u32::try_from(first).unwrap_or(u32::MAX);
        (first < second).then_some((first, second))
    })
}
