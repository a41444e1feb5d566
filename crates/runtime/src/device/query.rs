//! Queries on descriptions: sizes, footprints, tilings, heap properties.

use heapstone_layout::{
    FootprintOutputs, ResourceAllocationInfo1, ResourceTiling, SubresourceTiling, allocation_info,
    allocation_info_cast, allocation_info_of_one, copyable_footprints, legal_resource_tiling,
};
use heapstone_spec::rules::mapping as rules;
use heapstone_spec::{
    CpuPageProperty, Format, HeapProperties, HeapType, ResourceAllocationInfo, ResourceDesc, Violation,
};

use super::Device;
use crate::error::Error;
use crate::resource::{Resource, ResourceKind};

impl Device {
    /// GetResourceAllocationInfo 0, 2 and 3 (spec/2-resource-heaps.txt 217-230): size and alignment of a structure
    /// whose members are the descriptions, in their order. Answers [`ResourceAllocationInfo::INVALID`] where one
    /// is not legal, as D3D12 does; [`Device::try_resource_allocation_info`] says why.
    ///
    /// Of a buffer with USE_TIGHT_ALIGNMENT it is asked for no call in particular: it takes what GetDesc tells of
    /// placed and committed ones, but not the 65536 of reserved ones (chosen, because it refuses 65536 beside
    /// the flag: spec/1-tight-placed-resource-alignment.txt, Validation).
    #[must_use]
    pub fn get_resource_allocation_info(
        &self,
        visible_mask: u32,
        descs: &[ResourceDesc],
    ) -> ResourceAllocationInfo {
        self.try_resource_allocation_info(visible_mask, descs, None)
            .unwrap_or(ResourceAllocationInfo::INVALID)
    }

    /// GetResourceAllocationInfo 0 to 3, with the reason where it refuses, and with each element's place
    /// (GetResourceAllocationInfo1) where `per_element` is given; it must be as long as `descs`.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resource.*`, `query.node` for the mask, or `allocation_info.output`
    /// for a shorter `per_element`, which is untouched then.
    // Inlined by force: see `allocation_info_of_one`.
    #[inline(always)]
    pub fn try_resource_allocation_info(
        &self,
        visible_mask: u32,
        descs: &[ResourceDesc],
        per_element: Option<&mut [ResourceAllocationInfo1]>,
    ) -> Result<ResourceAllocationInfo, Error> {
        if visible_mask > 1 {
            self.check_node_mask("visibleMask", visible_mask)?;
        }
        let (rules, driver) = (&self.inner.layout_rules, &*self.inner.adapter.driver);
        Ok(match (descs, per_element) {
            ([desc], None) => allocation_info_of_one(rules, driver, desc)?,
            (_, per_element) => allocation_info(rules, driver, descs, per_element)?,
        })
    }

    /// GetResourceAllocationInfo3 of descriptions that castable formats go with: each element of `castable` is the
    /// list of the description at its place, and those beyond its end have none. The list changes no size, but a
    /// description is legal by what one of its formats can be (`CreatePlacedResource2` decides the same way).
    ///
    /// # Errors
    /// As [`Device::try_resource_allocation_info`], and with a rule of `placement.castable.*`.
    pub fn try_resource_allocation_info_cast(
        &self,
        visible_mask: u32,
        descs: &[ResourceDesc],
        castable: &[&[Format]],
        per_element: Option<&mut [ResourceAllocationInfo1]>,
    ) -> Result<ResourceAllocationInfo, Error> {
        self.check_node_mask("visibleMask", visible_mask)?;
        for (desc, formats) in descs.iter().zip(castable) {
            self.inner.beginning_rules().check_castable(desc, formats)?;
        }
        let (rules, sizer) = (&self.inner.layout_rules, &*self.inner.adapter.driver);
        Ok(allocation_info_cast(rules, sizer, descs, castable, per_element)?)
    }

    /// GetCopyableFootprints 0 and 1 (facts/layout.md, GetCopyableFootprints): how `count` subresources from
    /// `first_subresource` lie in a buffer from `base_offset` on. Answers the bytes they take. `outputs` are
    /// written only on success, and after all input was read.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `resource.*` or `footprints.*`; D3D12 sets every output to all ones then.
    pub fn get_copyable_footprints(
        &self,
        desc: &ResourceDesc,
        first_subresource: u32,
        count: u32,
        base_offset: u64,
        outputs: FootprintOutputs<'_>,
    ) -> Result<u64, Error> {
        let rules = &self.inner.layout_rules;
        Ok(copyable_footprints(rules, desc, first_subresource, count, base_offset, outputs)?)
    }

    /// GetResourceTiling of a reserved resource of this device (facts/layout.md, Tiling).
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `tiling.*`, or `query.resource.device`; `subresources` are untouched then.
    pub fn get_resource_tiling(
        &self,
        resource: &Resource,
        first_subresource: u32,
        subresources: &mut [SubresourceTiling],
    ) -> Result<ResourceTiling, Error> {
        if !core::ptr::eq(resource.inner.device(), &*self.inner) {
            return Err(rules::QUERY_RESOURCE_DEVICE
                .violated("pTiledResource", "a resource of another device", "a resource of this device")
                .into());
        }
        let given = match resource.kind() {
            ResourceKind::Reserved => None,
            ResourceKind::Committed => Some("a committed resource"),
            ResourceKind::Placed => Some("a placed resource"),
        };
        if let Some(given) = given {
            return Err(rules::TILING_RESERVED
                .violated("pTiledResource", given, "a reserved resource")
                .into());
        }
        let rules = &self.inner.layout_rules;
        Ok(legal_resource_tiling(rules, resource.desc(), first_subresource, subresources)?)
    }

    /// GetCustomHeapProperties 0 and 1: the CUSTOM properties that an abstraction stands for on this adapter.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `heap.custom_properties.type` for CUSTOM, `heap.type.gpu_upload`, `query.node`.
    pub fn get_custom_heap_properties(
        &self,
        node_mask: u32,
        heap_type: HeapType,
    ) -> Result<HeapProperties, Error> {
        let node = self.check_node_mask("nodeMask", node_mask)?;
        if node.count_ones() != 1 {
            return Err(rules::QUERY_NODE
                .violated("nodeMask", format_args!("{node_mask:#x}"), "0, or one bit: a heap is one node's")
                .into());
        }
        let (page, pool): (CpuPageProperty, _) = self.inner.heap_rules().custom_properties(heap_type)?;
        Ok(HeapProperties::custom(page, pool).with_nodes(node, node))
    }

    /// A mask of nodes that there are; 0 is node 0.
    fn check_node_mask(&self, field: &'static str, mask: u32) -> Result<u32, Box<Violation>> {
        let node_count = self.profile().memory.node_count;
        let all = self.profile().memory.node_mask();
        if mask & !all != 0 {
            return Err(rules::QUERY_NODE.violated(
                field,
                format_args!("{mask:#x}"),
                format_args!("bits of {all:#x}: the adapter has {node_count} node(s)"),
            ));
        }
        Ok(if mask == 0 { 1 } else { mask })
    }
}
