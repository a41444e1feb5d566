//! Size and alignment of a resource: the driver's answer, and what the runtime makes of it.

use heapstone_spec::rules::description as rule;
use heapstone_spec::{Format, ResourceAllocationInfo, ResourceDesc, ResourceFlags, TextureLayout, Violation};
use heapstone_units::{Alignment, ByteRange, Bytes};

use crate::alignment::{self, KIB_64, MIB_4};
use crate::blocks::ResolvedPattern;
use crate::rules::{LayoutRules, Purpose};
use crate::surface::{self, Geometry, Plan};
use crate::validate;

/// The driver's answer to CheckResourceAllocationInfo
/// (D3D12DDI_RESOURCE_ALLOCATION_INFO, spec/2-resource-heaps.txt 699-717).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriverAllocationInfo {
    /// Bytes of all subresources, and of what the driver pads in front of them.
    pub resource_data_size: u64,
    /// Of the first byte.
    pub resource_data_alignment: Alignment,
    /// Bytes of metadata of a render target or depth-stencil; 0: none.
    pub additional_data_size: u64,
    /// Of the metadata's first byte.
    pub additional_data_alignment: Alignment,
    /// The layout that the driver chose.
    pub pattern: ResolvedPattern,
    /// The first mip that is kept in the tail's pattern; the number of mips where there is none.
    pub mip_level_swizzle_transition: u8,
}

impl DriverAllocationInfo {
    /// Bytes of data and metadata, one after the other; `None` where they leave 64 bits.
    #[must_use]
    pub const fn total_size(&self) -> Option<u64> {
        if self.additional_data_size == 0 {
            return Some(self.resource_data_size);
        }
        match self.additional_data_alignment.align_up(self.resource_data_size) {
            Some(start) => start.checked_add(self.additional_data_size),
            None => None,
        }
    }

    /// Where the metadata lies, from the resource's first byte; `None` where there is none or its place
    /// leaves 64 bits.
    #[must_use]
    pub const fn metadata_range(&self) -> Option<ByteRange> {
        match self.total_size() {
            Some(end) if self.additional_data_size > 0 => {
                Some(ByteRange::new(end - self.additional_data_size, end))
            }
            _ => None,
        }
    }
}

/// Who sizes resources: CheckResourceAllocationInfo of a driver (spec/2-resource-heaps.txt 718-752).
///
/// The same arguments give the same answer from any thread, and a description with greater or equal
/// extents never gets a smaller size.
pub trait ResourceSizer {
    /// The answer for a legal description; `alignment_restriction` is the least alignment that the
    /// runtime accepts, in bytes. `None` where the size leaves 64 bits.
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        alignment_restriction: Alignment,
    ) -> Option<DriverAllocationInfo>;
}

/// The sizer that computes everything from a profile, as a driver of that adapter would.
#[derive(Clone, Copy, Debug)]
pub struct ProfileSizer {
    /// What it computes from.
    pub rules: LayoutRules,
}

/// Metadata starts at a line of 256 bytes (chosen: the unit that compressed colour is kept in).
const METADATA_ALIGNMENT: Alignment = Alignment::constant(256);

impl ResourceSizer for ProfileSizer {
    #[inline]
    fn check_resource_allocation_info(
        &self,
        desc: &ResourceDesc,
        alignment_restriction: Alignment,
    ) -> Option<DriverAllocationInfo> {
        if desc.is_buffer() {
            Some(self.buffer(desc, alignment_restriction))
        } else {
            self.texture(desc, alignment_restriction)
        }
    }
}

impl ProfileSizer {
    /// A buffer takes its width (spec/1, DDI: "size buffers appropriately"); the runtime rounds it.
    #[inline]
    fn buffer(&self, desc: &ResourceDesc, restriction: Alignment) -> DriverAllocationInfo {
        let own = if alignment::is_tight(desc) { self.rules.layout.tight_buffer_alignment } else { KIB_64 };
        DriverAllocationInfo {
            resource_data_size: desc.width,
            // A committed buffer is restricted to 4 KiB, a reserved one to its tile.
            resource_data_alignment: own.max(restriction),
            additional_data_size: 0,
            additional_data_alignment: Alignment::ONE,
            pattern: ResolvedPattern::RowMajor,
            mip_level_swizzle_transition: 1,
        }
    }

    /// Apart from buffers, which need none of the registers and stack that this does.
    #[inline(never)]
    fn texture(&self, desc: &ResourceDesc, restriction: Alignment) -> Option<DriverAllocationInfo> {
        let geometry = Geometry::new(desc);
        let plan = Plan::new(&self.rules, desc, &geometry, restriction);
        let alignment = self.texture_alignment(desc, &plan, restriction);
        let (bytes, tail_mip) = surface::texture_bytes(&geometry, &plan)?;
        let metadata = self.metadata_size(desc, bytes);
        let padding = self.padding(&plan, alignment);
        Some(DriverAllocationInfo {
            resource_data_size: bytes.checked_add(padding)?,
            resource_data_alignment: alignment,
            additional_data_size: metadata,
            additional_data_alignment: METADATA_ALIGNMENT,
            pattern: plan.pattern,
            mip_level_swizzle_transition: u8::try_from(tail_mip).unwrap_or(u8::MAX),
        })
    }

    /// Without the flag what the runtime restricts to; with it the profile's, never above what the
    /// texture would get without. Where the driver pads for a stricter start, less alignment would be
    /// more padding: it stays at the most.
    #[inline]
    fn texture_alignment(&self, desc: &ResourceDesc, plan: &Plan, restriction: Alignment) -> Alignment {
        if !alignment::is_tight(desc) {
            return restriction;
        }
        let max = alignment::tight_texture_max(&self.rules, desc);
        if plan.padded && self.rules.layout.image_alignment > KIB_64 {
            return max.max(restriction);
        }
        self.rules.layout.tight_texture_alignment.min(max).max(restriction)
    }

    /// One byte for every `ratio` bytes of a render target or depth-stencil, rounded up.
    #[inline]
    fn metadata_size(&self, desc: &ResourceDesc, bytes: u64) -> u64 {
        let ratio = if desc.flags.contains(ResourceFlags::ALLOW_DEPTH_STENCIL) {
            self.rules.layout.depth_stencil_metadata_ratio
        } else if desc.flags.contains(ResourceFlags::ALLOW_RENDER_TARGET) {
            self.rules.layout.render_target_metadata_ratio
        } else {
            0
        };
        // A texture of a defined layout is read by those who know no metadata.
        if ratio == 0 || desc.layout != TextureLayout::Unknown { 0 } else { bytes.div_ceil(u64::from(ratio)) }
    }

    /// D3D12 allows a driver no more than 64 KiB for one sample (spec/2-resource-heaps.txt 742), so one
    /// whose hardware needs more asks for room to round the first byte up itself.
    #[inline]
    fn padding(&self, plan: &Plan, alignment: Alignment) -> u64 {
        let needed = self.rules.layout.image_alignment;
        if plan.padded && needed > KIB_64 { needed.bytes().saturating_sub(alignment.bytes()) } else { 0 }
    }
}

/// What became of USE_TIGHT_ALIGNMENT.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TightAlignment {
    /// The flag is not set.
    NotAsked,
    /// The resource is aligned as tightly as the driver can.
    Applied,
    /// The flag stands beside ALLOW_CROSS_ADAPTER: the alignment is 64 KiB, or 4 MiB of multisampled
    /// textures, and the debug layer warns (spec/1, Validation).
    IgnoredCrossAdapter,
    /// The flag stands on a reserved buffer, whose tiles are 64 KiB.
    IgnoredReserved,
}

/// Size and alignment that the runtime demands of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceAllocation {
    /// In bytes: a multiple of the alignment, but of a tightly aligned buffer its width exactly
    /// (spec/1, HLK tests).
    pub size: u64,
    /// Of the first byte.
    pub alignment: Alignment,
    /// What the driver answered.
    pub driver: DriverAllocationInfo,
    /// A floor that the description asked for was clamped up: the debug layer says
    /// D3D12_MESSAGE_ID_CREATERESOURCE_ALIGNMENT_OVERRIDDEN (spec/1, Non-zero Alignment as a target floor).
    pub alignment_overridden: bool,
    /// What became of USE_TIGHT_ALIGNMENT.
    pub tight: TightAlignment,
}

/// Size and alignment of one legal description, as [`validate`](crate::validate()) returned it.
///
/// # Errors
/// `resource.size` where the size leaves 64 bits or the adapter's addresses for one resource;
/// `resource.driver.alignment` where the driver demands more than D3D12 lets it.
#[inline(always)]
pub fn resource_allocation<S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    desc: &ResourceDesc,
    purpose: Purpose,
) -> Result<ResourceAllocation, Box<Violation>> {
    let question = AllocationQuestion::new(rules, desc, purpose);
    let answer = sizer.check_resource_allocation_info(desc, question.restriction);
    let driver = answer.as_ref();
    let (size, alignment) = question.judge(rules, desc, purpose, driver)?;
    let Some(driver) = driver else { return Err(size_violation(rules, desc, None)) };
    let AllocationQuestion { tight, .. } = question;
    let alignment_overridden =
        desc.alignment != 0 && tight != TightAlignment::NotAsked && alignment.bytes() > desc.alignment;
    Ok(ResourceAllocation { size, alignment, driver: *driver, alignment_overridden, tight })
}

/// The two halves of [`resource_allocation`], for who keeps the driver's answer where the driver put it: copied as a
/// whole right behind the driver's stores it waits for them, which takes longer than the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocationQuestion {
    /// AlignmentRestriction: what [`ResourceSizer::check_resource_allocation_info`] is asked with.
    pub restriction: Alignment,
    /// What becomes of USE_TIGHT_ALIGNMENT.
    pub tight: TightAlignment,
}

impl AllocationQuestion {
    /// What to ask of one legal description, as [`validate`](crate::validate()) returned it.
    #[inline(always)]
    #[must_use]
    pub fn new(rules: &LayoutRules, desc: &ResourceDesc, purpose: Purpose) -> AllocationQuestion {
        let tight = tight_alignment(desc, purpose);
        AllocationQuestion { restriction: restriction(rules, desc, purpose, tight), tight }
    }

    /// Size in bytes and alignment that follow from the answer.
    ///
    /// # Errors
    /// As [`resource_allocation`].
    #[inline(always)]
    pub fn judge(
        &self,
        rules: &LayoutRules,
        desc: &ResourceDesc,
        purpose: Purpose,
        answer: Option<&DriverAllocationInfo>,
    ) -> Result<(u64, Alignment), Box<Violation>> {
        let AllocationQuestion { restriction, tight } = *self;
        let Some(driver) = answer else { return Err(size_violation(rules, desc, None)) };
        if driver.resource_data_alignment > restriction {
            check_driver_alignment(rules, desc, purpose, tight, driver.resource_data_alignment)?;
        }
        let alignment = driver.resource_data_alignment.max(restriction);
        let size = driver
            .total_size()
            .and_then(|size| {
                if tight == TightAlignment::Applied && desc.is_buffer() {
                    Some(size)
                } else {
                    alignment.align_up(size)
                }
            })
            .ok_or_else(|| size_violation(rules, desc, None))?;
        if rules.resource_va_bits < 64 && size > 1 << rules.resource_va_bits {
            return Err(size_violation(rules, desc, Some(size)));
        }
        Ok((size, alignment))
    }
}

#[inline]
fn tight_alignment(desc: &ResourceDesc, purpose: Purpose) -> TightAlignment {
    if !desc.flags.contains(ResourceFlags::USE_TIGHT_ALIGNMENT) {
        TightAlignment::NotAsked
    } else if purpose == Purpose::Reserved {
        TightAlignment::IgnoredReserved
    } else if desc.flags.contains(ResourceFlags::ALLOW_CROSS_ADAPTER) {
        TightAlignment::IgnoredCrossAdapter
    } else {
        TightAlignment::Applied
    }
}

/// AlignmentRestriction: the least alignment that the runtime accepts of the driver.
#[inline]
fn restriction(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
    tight: TightAlignment,
) -> Alignment {
    if tight == TightAlignment::NotAsked {
        return alignment::classic(desc, purpose);
    }
    let min = alignment::tight_range(rules, desc, purpose).min;
    Alignment::new(desc.alignment).map_or(min, |floor| floor.max(min))
}

/// Whether a driver may answer an alignment above AlignmentRestriction: beside USE_TIGHT_ALIGNMENT up to
/// the greatest of the kind (spec/1, Proposed Solution), else up to 64 KiB of one sample
/// (spec/2-resource-heaps.txt 742) and 4 MiB of several, which heaps have no more than.
#[inline(never)]
fn check_driver_alignment(
    rules: &LayoutRules,
    desc: &ResourceDesc,
    purpose: Purpose,
    tight: TightAlignment,
    given: Alignment,
) -> Result<(), Box<Violation>> {
    let max = if tight != TightAlignment::NotAsked {
        alignment::tight_range(rules, desc, purpose).max
    } else if alignment::is_msaa(desc) {
        MIB_4
    } else {
        KIB_64
    };
    if given <= max {
        return Ok(());
    }
    Err(rule::DRIVER_ALIGNMENT.violated(
        "D3D12DDI_RESOURCE_ALLOCATION_INFO.ResourceDataAlignment",
        format!("{} ({given}) for {}", given.bytes(), extent_text(desc)),
        format!("at most {} ({max})", max.bytes()),
    ))
}

#[cold]
fn size_violation(rules: &LayoutRules, desc: &ResourceDesc, size: Option<u64>) -> Box<Violation> {
    let given = match size {
        Some(size) => format!("{} ({size} bytes) for {}", Bytes(size), extent_text(desc)),
        None => format!("more than 64 bits of bytes for {}", extent_text(desc)),
    };
    let allowed = if rules.resource_va_bits < 64 {
        format!("at most {} ({} bits)", Bytes(1 << rules.resource_va_bits), rules.resource_va_bits)
    } else {
        "a size of 64 bits".to_owned()
    };
    rule::SIZE.violated(extent_fields(desc), given, allowed)
}

/// The fields that make up a size.
pub(crate) const fn extent_fields(desc: &ResourceDesc) -> &'static str {
    if desc.is_buffer() {
        "D3D12_RESOURCE_DESC.Width"
    } else {
        "D3D12_RESOURCE_DESC.Width, Height, DepthOrArraySize"
    }
}

fn extent_text(desc: &ResourceDesc) -> String {
    if desc.is_buffer() {
        format!("a buffer of {} bytes", desc.width)
    } else {
        format!(
            "{} {}x{}x{}, {} mips, {} samples",
            desc.format,
            desc.width,
            desc.height,
            desc.depth_or_array_size,
            desc.mip_levels,
            desc.sample_desc.count
        )
    }
}

/// D3D12_RESOURCE_ALLOCATION_INFO1: where one description of an array lies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceAllocationInfo1 {
    /// From the first description's first byte.
    pub offset: u64,
    /// In bytes.
    pub alignment: u64,
    /// In bytes, as [`ResourceAllocation::size`].
    pub size: u64,
}

/// GetResourceAllocationInfo of an array of descriptions: offsets follow each other as the members of a
/// C++ structure, the size is rounded up to the greatest alignment (spec/2-resource-heaps.txt 217-230;
/// spec/1, Runtime changes). No descriptions: size 0, alignment 1 (facts/layout.md).
///
/// `per_element`, where given, has at least as many elements as `descs`; it is written only on success,
/// and elements beyond are left alone.
///
/// # Errors
/// The first description that is not legal (D3D12 answers
/// [`ResourceAllocationInfo::INVALID`]), a total beyond 64 bits, an output that is too short.
pub fn allocation_info<S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    descs: &[ResourceDesc],
    per_element: Option<&mut [ResourceAllocationInfo1]>,
) -> Result<ResourceAllocationInfo, Box<Violation>> {
    sum(rules, sizer, descs, |_| &[], per_element)
}

/// As [`allocation_info`], for descriptions with the castable formats of each
/// ([`legal_cast`](crate::legal_cast)); a description beyond the end of `castable` has none.
///
/// # Errors
/// As [`allocation_info`].
pub fn allocation_info_cast<S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    descs: &[ResourceDesc],
    castable: &[&[Format]],
    per_element: Option<&mut [ResourceAllocationInfo1]>,
) -> Result<ResourceAllocationInfo, Box<Violation>> {
    sum(rules, sizer, descs, |index| castable.get(index).copied().unwrap_or(&[]), per_element)
}

/// What both answer: `castable` tells the formats of the description of an index.
#[inline(always)]
fn sum<'a, S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    descs: &[ResourceDesc],
    castable: impl Fn(usize) -> &'a [Format],
    per_element: Option<&mut [ResourceAllocationInfo1]>,
) -> Result<ResourceAllocationInfo, Box<Violation>> {
    if let Some(outputs) = &per_element
        && outputs.len() < descs.len()
    {
        return Err(rule::ALLOCATION_INFO_OUTPUT.violated(
            "pResourceAllocationInfo1",
            format!("{} elements", outputs.len()),
            format!("at least {}", descs.len()),
        ));
    }
    let mut alignment = Alignment::ONE;
    let mut end = 0_u64;
    for (index, desc) in descs.iter().enumerate() {
        let (info, element_alignment) = element(rules, sizer, desc, castable(index), end)?;
        alignment = alignment.max(element_alignment);
        end = info.offset.checked_add(info.size).ok_or_else(|| array_violation(descs))?;
    }
    let size = alignment.align_up(end).ok_or_else(|| array_violation(descs))?;

    if let Some(outputs) = per_element {
        // The second pass answers as the first did: nothing is written before every element is known
        // to be legal, and nothing is allocated to remember them.
        let mut end = 0_u64;
        for (index, (desc, output)) in descs.iter().zip(outputs).enumerate() {
            let (info, _) = element(rules, sizer, desc, castable(index), end)?;
            end = info.offset.saturating_add(info.size);
            *output = info;
        }
    }
    Ok(ResourceAllocationInfo { size, alignment: alignment.bytes() })
}

/// [`allocation_info`] of one description, which is what programs ask for most.
///
/// # Errors
/// As [`allocation_info`].
// Inlined by force: a description that the caller has just put together stays in registers. Stored field by field and
// read in larger pieces, it would wait for its stores.
#[inline(always)]
pub fn allocation_info_of_one<S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    desc: &ResourceDesc,
) -> Result<ResourceAllocationInfo, Box<Violation>> {
    let mut resolved = None;
    let legal = validate::legal(rules, desc, Purpose::Query, &mut resolved)?;
    let ResourceAllocation { size, alignment, .. } =
        resource_allocation(rules, sizer, legal, Purpose::Query)?;
    // A tightly aligned buffer takes its width; as the only member of a structure it is rounded up.
    let size = alignment.align_up(size).ok_or_else(|| array_violation(core::slice::from_ref(desc)))?;
    Ok(ResourceAllocationInfo { size, alignment: alignment.bytes() })
}

/// The place of a description whose predecessors end at `end`.
#[inline(always)]
fn element<S: ResourceSizer + ?Sized>(
    rules: &LayoutRules,
    sizer: &S,
    desc: &ResourceDesc,
    castable: &[Format],
    end: u64,
) -> Result<(ResourceAllocationInfo1, Alignment), Box<Violation>> {
    let mut resolved = None;
    let legal = validate::legal_cast(rules, desc, castable, Purpose::Query, &mut resolved)?;
    let allocation = resource_allocation(rules, sizer, legal, Purpose::Query)?;
    let offset =
        allocation.alignment.align_up(end).ok_or_else(|| array_violation(core::slice::from_ref(desc)))?;
    let info =
        ResourceAllocationInfo1 { offset, alignment: allocation.alignment.bytes(), size: allocation.size };
    Ok((info, allocation.alignment))
}

#[cold]
fn array_violation(descs: &[ResourceDesc]) -> Box<Violation> {
    rule::SIZE.violated(
        "pResourceDescs",
        format!("{} descriptions whose sizes add up to more than 64 bits of bytes", descs.len()),
        "a total of 64 bits",
    )
}
