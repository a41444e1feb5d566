//! The naive model of memory and GPU work: one thing after the other, element by element, no swizzle but the
//! facts' bit strings, and "unknown" for every byte of which D3D12 says nothing.
//!
//! ```text
//!   Step --judge--> refused | ops --apply--> cells
//!   heap:      bytes, tiles seen as texels     (memory)
//!   resource:  place, cells, tiles             (resource)
//!   both:      reads, writes, what overlaps    (access)
//! ```

mod access;
mod apply;
mod clears;
mod judge;
mod memory;
mod rects;
mod resource;
mod swizzle;
mod tiles;

use std::collections::{BTreeMap, BTreeSet};

use heapstone::spec::commands::Box3D;
use heapstone::{CpuPageProperty, HeapDesc, HeapProperties, HeapType, Profile, ResourceDesc, SdkVersion};
use heapstone_layout::{LayoutRules, ProfileSizer, Purpose, legal, resource_allocation};
use heapstone_spec::FormatKind;

pub(crate) use access::{Elements, index};
pub(crate) use apply::Predicate;
pub(crate) use judge::Op;
use memory::HeapMemory;
pub(crate) use memory::{Cell, TILE};
use resource::{CpuAccess, Place, Resource, Tiles};
pub(crate) use tiles::Shown;

use crate::program::{Slot, Step};
use crate::shape::Subresource;

/// What the model says of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It names what does not exist, or does what the model cannot follow: it is not made.
    Skip,
    /// It is refused, and changes nothing.
    Refused,
    /// It succeeds.
    Legal,
}

/// Memory that queues share, as far as their order matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Memory {
    /// A heap's bytes.
    Heap(Slot),
    /// A committed resource's bytes, or a reserved one's mappings.
    Resource(Slot),
}

/// The whole state.
#[derive(Debug)]
pub(crate) struct Model {
    rules: LayoutRules,
    heaps: BTreeMap<Slot, HeapMemory>,
    /// Whose handles are gone.
    destroyed_heaps: BTreeSet<Slot>,
    resources: BTreeMap<Slot, Resource>,
    /// How often packed mips were set up.
    epoch: u64,
}

impl Model {
    pub(crate) fn new(profile: &Profile) -> Model {
        Model {
            rules: LayoutRules::new(profile, SdkVersion::LATEST),
            heaps: BTreeMap::new(),
            destroyed_heaps: BTreeSet::new(),
            resources: BTreeMap::new(),
            epoch: 0,
        }
    }

    pub(crate) fn resources(&self) -> impl Iterator<Item = Slot> + '_ {
        self.resources.keys().copied()
    }

    pub(crate) fn desc(&self, slot: Slot) -> Option<&ResourceDesc> {
        self.resources.get(&slot).map(|resource| &resource.desc)
    }

    pub(crate) fn subresources(&self, slot: Slot) -> &[Subresource] {
        self.resources.get(&slot).map_or(&[], |resource| &resource.subresources)
    }

    /// A description with its mips counted, and its size and alignment.
    fn sized(&self, desc: &ResourceDesc, purpose: Purpose) -> Option<(ResourceDesc, u64, u64)> {
        if desc.format.info().kind.contains(FormatKind::OPAQUE) {
            // Its texels are nobody's to see.
            return None;
        }
        let mut resolved = None;
        let legal = legal(&self.rules, desc, purpose, &mut resolved).ok()?;
        let sizer = ProfileSizer { rules: self.rules };
        let info = resource_allocation(&self.rules, &sizer, legal, purpose).ok()?;
        Some((*legal, info.size, info.alignment.bytes()))
    }

    /// Steps that create and destroy.
    pub(crate) fn object(&mut self, step: &Step) -> Verdict {
        match step {
            Step::CreateHeap { heap, desc } => {
                if self.heaps.contains_key(heap) {
                    return Verdict::Skip;
                }
                self.heaps.insert(*heap, HeapMemory::new(*desc));
                Verdict::Legal
            }
            Step::DestroyHeap { heap } => {
                let is_mapped = self
                    .resources
                    .values()
                    .filter_map(|resource| resource.tiles.as_ref())
                    .any(|tiles| tiles.mapping.iter().flatten().any(|(mapped, _)| mapped == heap));
                if !self.has_heap(*heap) || is_mapped {
                    return Verdict::Skip;
                }
                self.destroyed_heaps.insert(*heap);
                Verdict::Legal
            }
            Step::DestroyResource { resource } => match self.resources.remove(resource) {
                Some(_) => Verdict::Legal,
                None => Verdict::Skip,
            },
            Step::CreateCommitted { resource, properties, desc } => {
                let Some((desc, ..)) = self.sized(desc, Purpose::Committed) else { return Verdict::Skip };
                self.created(*resource, desc, Place::Committed(properties.heap_type), cpu_access(properties))
            }
            Step::CreatePlaced { resource, heap, offset, desc } => {
                self.create_placed(*resource, *heap, *offset, desc)
            }
            Step::CreateReserved { resource, desc } => {
                let Some((desc, ..)) = self.sized(desc, Purpose::Reserved) else { return Verdict::Skip };
                let Some(tiles) = Tiles::new(&self.rules, &desc) else { return Verdict::Skip };
                let verdict = self.created(*resource, desc, Place::Reserved, CpuAccess::None);
                if let (Verdict::Legal, Some(made)) = (verdict, self.resources.get_mut(resource)) {
                    made.tiles = Some(tiles);
                }
                verdict
            }
            _ => Verdict::Skip,
        }
    }

    fn has_heap(&self, heap: Slot) -> bool {
        self.heaps.contains_key(&heap) && !self.destroyed_heaps.contains(&heap)
    }

    fn create_placed(&mut self, slot: Slot, heap: Slot, offset: u64, desc: &ResourceDesc) -> Verdict {
        if !self.has_heap(heap) || self.resources.contains_key(&slot) {
            return Verdict::Skip;
        }
        let Some((desc, size, alignment)) = self.sized(desc, Purpose::Placed) else { return Verdict::Skip };
        let memory = &self.heaps[&heap];
        let end = offset.checked_add(size);
        let fits = end.is_some_and(|end| end <= memory.desc.size) && offset.is_multiple_of(alignment);
        if !fits || alignment > memory.desc.alignment.max(65_536) {
            return Verdict::Refused;
        }
        let bytes = |number: u64| usize::try_from(number).expect("invariant: a program's heaps are small");
        let (offset, size) = (bytes(offset), bytes(size));
        let properties = memory.desc.properties;
        let is_fresh = memory.is_fresh(offset..offset + size);
        let place = Place::Placed(heap, properties.heap_type, offset, size);
        self.resources.insert(slot, Resource::new(desc, place, cpu_access(&properties), is_fresh));
        Verdict::Legal
    }

    fn created(&mut self, slot: Slot, desc: ResourceDesc, place: Place, cpu: CpuAccess) -> Verdict {
        if self.resources.contains_key(&slot) {
            return Verdict::Skip;
        }
        self.resources.insert(slot, Resource::new(desc, place, cpu, true));
        Verdict::Legal
    }

    /// Whether the CPU may write bytes there.
    pub(crate) fn judge_write(&self, slot: Slot, offset: u64, size: u64) -> Verdict {
        let Some(buffer) = self.resources.get(&slot) else { return Verdict::Skip };
        let end = offset.checked_add(size);
        let is_legal = buffer.desc.is_buffer()
            && buffer.cpu == CpuAccess::All
            && end.is_some_and(|end| end <= buffer.desc.width);
        if is_legal { Verdict::Legal } else { Verdict::Refused }
    }

    pub(crate) fn write_bytes(&mut self, slot: Slot, offset: u64, bytes: &[u8]) {
        let cells: Vec<Cell> = bytes.iter().copied().map(Some).collect();
        let offset = usize::try_from(offset).expect("invariant: it was judged");
        self.buffer_write(slot, offset, &cells);
    }

    /// All of a buffer.
    pub(crate) fn read_bytes(&self, slot: Slot) -> Vec<Cell> {
        let width = self.resources[&slot].desc.width;
        self.buffer_read(slot, 0..usize::try_from(width).expect("invariant: it was created"))
    }

    /// Whether Write- or ReadFromSubresource takes the box, and which elements it is; `None` where it has none.
    pub(crate) fn judge_texels(
        &self,
        slot: Slot,
        subresource: u32,
        texels: Option<&Box3D>,
    ) -> Result<Option<Elements>, Verdict> {
        let texture = self.resources.get(&slot).ok_or(Verdict::Skip)?;
        let shape = match texture.subresource(subresource) {
            Some(shape) if texture.place != Place::Reserved && texture.cpu == CpuAccess::All => shape,
            _ => return Err(Verdict::Refused),
        };
        let bits = texture.desc.format.info().bits_per_element;
        let several_planes = texture.desc.format.info().plane_count > 1;
        let is_depth = texture.desc.flags.contains(heapstone::ResourceFlags::ALLOW_DEPTH_STENCIL);
        let opaque_3d = texture.is_3d() && texture.desc.mip_levels != 1;
        let is_opaque_legal =
            shape.samples == 1 && !is_depth && !opaque_3d && (several_planes || bits.is_power_of_two());
        if !texture.is_standard_swizzle() && !is_opaque_legal {
            return Err(Verdict::Refused);
        }
        if shape.is_d24 {
            return Err(Verdict::Skip);
        }
        match judge::box_of(shape, texels) {
            Some(None) => Ok(None),
            Some(Some((origin, size))) => Ok(Some(Elements { subresource, origin, size })),
            None => Err(Verdict::Refused),
        }
    }

    pub(crate) fn write_texels(&mut self, slot: Slot, elements: &Elements, bytes: &[u8]) {
        let cells: Vec<Cell> = bytes.iter().copied().map(Some).collect();
        self.texels_write(slot, elements, &cells);
    }

    pub(crate) fn read_texels(&self, slot: Slot, elements: &Elements) -> Vec<Cell> {
        self.texels_read(slot, elements)
    }

    /// All of a subresource.
    pub(crate) fn read_subresource(&self, slot: Slot, subresource: u32) -> Vec<Cell> {
        let size = self.resources[&slot].subresources[index(subresource)].extent;
        self.texels_read(slot, &Elements { subresource, origin: [0; 3], size })
    }

    /// The memory that an access of a resource goes to; whether it is written there.
    pub(crate) fn memory_of(&self, slot: Slot, is_written: bool, all: &mut Vec<(Memory, bool)>) {
        let Some(resource) = self.resources.get(&slot) else { return };
        match (resource.place, &resource.tiles) {
            (Place::Committed(_), _) => all.push((Memory::Resource(slot), is_written)),
            (Place::Placed(heap, ..), _) => all.push((Memory::Heap(heap), is_written)),
            (Place::Reserved, tiles) => {
                all.push((Memory::Resource(slot), false));
                let mapped = tiles.iter().flat_map(|tiles| tiles.mapping.iter().flatten());
                let heaps: BTreeSet<Slot> = mapped.map(|(heap, _)| *heap).collect();
                all.extend(heaps.into_iter().map(|heap| (Memory::Heap(heap), is_written)));
            }
        }
    }

    pub(crate) fn heap_type(&self, slot: Slot) -> Option<HeapType> {
        self.resources.get(&slot).and_then(Resource::heap_type)
    }

    pub(crate) fn cpu_reads(&self, slot: Slot) -> bool {
        self.resources.get(&slot).is_some_and(|resource| resource.cpu == CpuAccess::All)
    }

    pub(crate) fn heap_desc(&self, heap: Slot) -> Option<&HeapDesc> {
        self.heaps.get(&heap).map(|memory| &memory.desc)
    }

    pub(crate) fn is_reserved(&self, slot: Slot) -> bool {
        self.resources.get(&slot).is_some_and(|resource| resource.place == Place::Reserved)
    }
}

fn cpu_access(properties: &HeapProperties) -> CpuAccess {
    let reaches = match properties.heap_type {
        HeapType::Default => false,
        HeapType::Upload | HeapType::Readback | HeapType::GpuUpload => true,
        HeapType::Custom => properties.cpu_page_property != CpuPageProperty::NotAvailable,
    };
    if reaches { CpuAccess::All } else { CpuAccess::None }
}
