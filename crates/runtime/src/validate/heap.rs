//! Rules of heaps: type and properties, nodes, flags, size, alignment.

use heapstone_spec::caps::{CrossNodeSharingTier, ResourceHeapTier};
use heapstone_spec::profile::Caps;
use heapstone_spec::rules::heap as rules;
use heapstone_spec::{
    CpuPageProperty, HeapDesc, HeapFlags, HeapProperties, HeapType, MemoryPool, Profile, ResourceDesc,
    ResourceFlags, SdkVersion, Violation, limits, message,
};
use heapstone_units::{Alignment, Bytes};

/// A heap type resolved to what it stands for on this adapter, and what follows for kernel and driver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolvedHeap {
    /// Page property, pool and nodes; nothing UNKNOWN, nothing 0.
    pub(crate) properties: HeapProperties,
    /// The type as given.
    pub(crate) heap_type: HeapType,
    pub(crate) flags: HeapFlags,
    pub(crate) alignment: Alignment,
    /// The creation node's index.
    pub(crate) node: u32,
    /// See [`heapstone_driver::CreateHeap::deny_demotion`].
    pub(crate) deny_demotion: bool,
}

impl ResolvedHeap {
    pub(crate) fn is_cpu_visible(&self) -> bool {
        self.properties.cpu_page_property != CpuPageProperty::NotAvailable
    }

    /// The properties as GetDesc and GetHeapProperties tell them: as given, with node masks of 0 converted
    /// (spec/2-resource-heaps.txt 1516).
    pub(crate) const fn described(&self, given: &HeapProperties) -> HeapProperties {
        given.with_nodes(self.properties.creation_node_mask, self.properties.visible_node_mask)
    }

    /// Whether it is one of the two abstractions that hold buffers only.
    pub(crate) const fn is_cpu_abstraction(&self) -> bool {
        matches!(self.heap_type, HeapType::Upload | HeapType::Readback)
    }
}

/// What CreateHeap's description is checked against.
#[derive(Clone, Copy)]
pub(crate) struct HeapRules<'a> {
    pub(crate) profile: &'a Profile,
    pub(crate) sdk: SdkVersion,
    /// The adapter's under the SDK version.
    pub(crate) caps: &'a Caps,
}

const SIZE: &str = "D3D12_HEAP_DESC.SizeInBytes";
const ALIGNMENT: &str = "D3D12_HEAP_DESC.Alignment";
const FLAGS: &str = "D3D12_HEAP_DESC.Flags";
const COMMITTED_FLAGS: &str = "HeapFlags";
const TYPE: &str = "D3D12_HEAP_PROPERTIES.Type";
const CPU_PAGE_PROPERTY: &str = "D3D12_HEAP_PROPERTIES.CPUPageProperty";
const MEMORY_POOL: &str = "D3D12_HEAP_PROPERTIES.MemoryPoolPreference";
const CREATION_NODE_MASK: &str = "D3D12_HEAP_PROPERTIES.CreationNodeMask";
const VISIBLE_NODE_MASK: &str = "D3D12_HEAP_PROPERTIES.VisibleNodeMask";

impl HeapRules<'_> {
    /// Every rule of an explicit heap. Answers with it the bytes that resources may use of it: its size in
    /// whole pages of 64 KiB.
    pub(crate) fn check_explicit(&self, desc: &HeapDesc) -> Result<(ResolvedHeap, u64), Box<Violation>> {
        let alignment = explicit_alignment(desc.alignment)?;
        let (properties, node) = self.resolve(&desc.properties)?;
        check_known_flags(FLAGS, desc.flags)?;
        self.check_categories(desc.flags)?;
        if desc.flags.contains(HeapFlags::ALLOW_DISPLAY) {
            return Err(rules::FLAGS_DISPLAY.violated(FLAGS, desc.flags, "no ALLOW_DISPLAY"));
        }
        let deny_demotion =
            self.check_shared_flags(FLAGS, desc.flags, desc.properties.heap_type, &properties)?;
        let resolved = ResolvedHeap {
            properties,
            heap_type: desc.properties.heap_type,
            flags: desc.flags,
            alignment,
            node,
            deny_demotion,
        };
        self.check_size(&resolved, desc.size)?;
        let usable_size = Alignment::constant(limits::DEFAULT_RESOURCE_ALIGNMENT).align_up(desc.size);
        let usable_size = usable_size
            .ok_or_else(|| rules::SIZE_ADDRESSES.violated(SIZE, desc.size, "at most 2^64 - 65536"))?;
        Ok((resolved, usable_size))
    }

    /// Every rule of the implicit heap of a committed resource that takes `size` bytes at `alignment`.
    #[inline]
    pub(crate) fn check_implicit(
        &self,
        properties: &HeapProperties,
        flags: HeapFlags,
        size: u64,
        alignment: Alignment,
    ) -> Result<ResolvedHeap, Box<Violation>> {
        let heap = self.resolve_implicit(properties, flags, alignment).map_err(of_committed)?;
        self.check_size(&heap, size).map_err(of_committed)?;
        Ok(heap)
    }

    #[inline]
    fn resolve_implicit(
        &self,
        properties: &HeapProperties,
        flags: HeapFlags,
        alignment: Alignment,
    ) -> Result<ResolvedHeap, Box<Violation>> {
        let (resolved, node) = self.resolve(properties)?;
        let deny_demotion = if flags.is_empty() {
            // The ordinary case: no flag, no rule of flags.
            false
        } else {
            check_known_flags(COMMITTED_FLAGS, flags)?;
            if flags.intersects(HeapFlags::DENY_ALL) {
                return Err(rules::COMMITTED_DENY.violated(COMMITTED_FLAGS, flags, "no DENY flag"));
            }
            self.check_shared_flags(COMMITTED_FLAGS, flags, properties.heap_type, &resolved)?
        };
        Ok(ResolvedHeap {
            properties: resolved,
            heap_type: properties.heap_type,
            flags,
            alignment,
            node,
            deny_demotion,
        })
    }

    /// The size rules, for a heap of `size` bytes.
    #[inline]
    fn check_size(&self, heap: &ResolvedHeap, size: u64) -> Result<(), Box<Violation>> {
        if size == 0 {
            return Err(rules::SIZE_ZERO.violated(SIZE, 0, "at least 1"));
        }
        if heap.is_cpu_visible() && size > limits::CPU_VISIBLE_SIZE_MAX {
            return Err(rules::SIZE_CPU_VISIBLE.violated(
                SIZE,
                size,
                format_args!(
                    "at most {} (0xFFFF0000) of a heap of type {}, which the CPU can map",
                    limits::CPU_VISIBLE_SIZE_MAX,
                    heap.heap_type
                ),
            ));
        }
        if let Some(maximum) = self.profile.limits.heap_size_max.filter(|maximum| size > *maximum) {
            return Err(rules::SIZE_DRIVER.violated(
                SIZE,
                size,
                format_args!(
                    "at most {maximum} ({}) on adapter profile {}",
                    Bytes(maximum),
                    self.profile.name
                ),
            ));
        }
        Ok(())
    }

    /// GetCustomHeapProperties: what an abstraction stands for on this adapter
    /// (spec/2-resource-heaps.txt 354-355, 470; Microsoft's documentation of the call).
    pub(crate) fn custom_properties(
        &self,
        heap_type: HeapType,
    ) -> Result<(CpuPageProperty, MemoryPool), Box<Violation>> {
        let architecture = self.profile.architecture;
        let video_memory = if architecture.uma { MemoryPool::L0 } else { MemoryPool::L1 };
        // Coherent caches make write-combining pointless (spec/2-resource-heaps.txt 355).
        let streaming = if architecture.cache_coherent_uma {
            CpuPageProperty::WriteBack
        } else {
            CpuPageProperty::WriteCombine
        };
        match heap_type {
            HeapType::Default => Ok((CpuPageProperty::NotAvailable, video_memory)),
            HeapType::Upload => Ok((streaming, MemoryPool::L0)),
            HeapType::Readback => Ok((CpuPageProperty::WriteBack, MemoryPool::L0)),
            HeapType::GpuUpload => {
                if !self.caps.gpu_upload_heap {
                    return Err(rules::GPU_UPLOAD_UNSUPPORTED.violated(
                        TYPE,
                        "GPU_UPLOAD",
                        format_args!("DEFAULT, UPLOAD, READBACK, CUSTOM on {}", self.whereabouts()),
                    ));
                }
                Ok((streaming, video_memory))
            }
            HeapType::Custom => Err(rules::CUSTOM_PROPERTIES_TYPE.violated(
                "HeapType",
                "CUSTOM",
                "DEFAULT, UPLOAD, READBACK, GPU_UPLOAD",
            )),
        }
    }

    fn whereabouts(&self) -> String {
        format!("adapter profile {} under SDK {}", self.profile.name, self.sdk)
    }

    /// Resolves type and nodes.
    #[inline]
    fn resolve(&self, given: &HeapProperties) -> Result<(HeapProperties, u32), Box<Violation>> {
        let (cpu_page_property, memory_pool_preference) = if given.heap_type == HeapType::Custom {
            self.check_custom(given.cpu_page_property, given.memory_pool_preference)?;
            (given.cpu_page_property, given.memory_pool_preference)
        } else {
            check_abstract(given)?;
            self.custom_properties(given.heap_type)?
        };
        let (creation_node_mask, visible_node_mask) = self.check_nodes(given, memory_pool_preference)?;
        let properties = HeapProperties {
            heap_type: given.heap_type,
            cpu_page_property,
            memory_pool_preference,
            creation_node_mask,
            visible_node_mask,
        };
        Ok((properties, creation_node_mask.trailing_zeros()))
    }

    fn check_custom(&self, page: CpuPageProperty, pool: MemoryPool) -> Result<(), Box<Violation>> {
        if page == CpuPageProperty::Unknown {
            return Err(rules::CUSTOM_UNKNOWN.violated(
                CPU_PAGE_PROPERTY,
                page,
                "NOT_AVAILABLE, WRITE_COMBINE, WRITE_BACK",
            ));
        }
        match pool {
            MemoryPool::Unknown => Err(rules::CUSTOM_UNKNOWN.violated(
                MEMORY_POOL,
                pool,
                if self.profile.architecture.uma { "L0" } else { "L0, L1" },
            )),
            MemoryPool::L0 => Ok(()),
            MemoryPool::L1 if self.profile.architecture.uma => Err(rules::CUSTOM_L1_UMA.violated(
                MEMORY_POOL,
                pool,
                format_args!("L0 on {}", self.whereabouts()),
            )),
            MemoryPool::L1 if page == CpuPageProperty::WriteBack => Err(rules::CUSTOM_L1_WRITE_BACK
                .violated(CPU_PAGE_PROPERTY, "WRITE_BACK on L1", "NOT_AVAILABLE on L1, or WRITE_BACK on L0")),
            MemoryPool::L1 if page == CpuPageProperty::WriteCombine && !self.caps.gpu_upload_heap => {
                Err(rules::CUSTOM_L1_WRITE_COMBINE.violated(
                    CPU_PAGE_PROPERTY,
                    "WRITE_COMBINE on L1",
                    format_args!("NOT_AVAILABLE on L1 on {}", self.whereabouts()),
                ))
            }
            MemoryPool::L1 => Ok(()),
        }
    }

    #[inline]
    fn check_nodes(&self, given: &HeapProperties, pool: MemoryPool) -> Result<(u32, u32), Box<Violation>> {
        let node_count = self.profile.memory.node_count;
        // 0 is node 0 (spec/2-resource-heaps.txt 1516).
        let or_first = |mask: u32| if mask == 0 { 1 } else { mask };
        let (creation, visible) = (or_first(given.creation_node_mask), or_first(given.visible_node_mask));
        if creation == 1 && visible == 1 {
            return Ok((creation, visible));
        }
        let all = self.profile.memory.node_mask();
        if creation.count_ones() != 1 || creation & !all != 0 {
            return Err(rules::NODE_CREATION.violated(
                CREATION_NODE_MASK,
                format_args!("{creation:#x}"),
                format_args!("one bit of {all:#x}: the adapter has {node_count} node(s)"),
            ));
        }
        if visible & !all != 0 || visible & creation == 0 {
            return Err(rules::NODE_VISIBLE.violated(
                VISIBLE_NODE_MASK,
                format_args!("{visible:#x}"),
                format_args!("bits of {all:#x} with the creation node's {creation:#x}"),
            ));
        }
        if visible != creation
            && pool == MemoryPool::L1
            && self.caps.cross_node_sharing_tier == CrossNodeSharingTier::NotSupported
        {
            return Err(rules::NODE_SHARING.violated(
                VISIBLE_NODE_MASK,
                format_args!("{visible:#x}"),
                format_args!("{creation:#x}: CrossNodeSharingTier is NOT_SUPPORTED"),
            ));
        }
        Ok((creation, visible))
    }

    fn check_categories(&self, flags: HeapFlags) -> Result<(), Box<Violation>> {
        let denied = flags & HeapFlags::DENY_ALL;
        if denied == HeapFlags::DENY_ALL {
            return Err(rules::FLAGS_DENY_ALL.violated(FLAGS, flags, "at most two DENY flags"));
        }
        if self.caps.resource_heap_tier == ResourceHeapTier::Tier1 && denied.bits().count_ones() != 2 {
            return Err(rules::FLAGS_TIER1.violated(
                FLAGS,
                format_args!("{flags}, which denies {} of the three categories", denied.bits().count_ones()),
                "ALLOW_ONLY_BUFFERS (0xC0), ALLOW_ONLY_NON_RT_DS_TEXTURES (0x44) or ALLOW_ONLY_RT_DS_TEXTURES (0x84)",
            ));
        }
        Ok(())
    }

    /// Flags that explicit and implicit heaps share. Answers whether demotion is denied.
    fn check_shared_flags(
        &self,
        field: &'static str,
        flags: HeapFlags,
        heap_type: HeapType,
        resolved: &HeapProperties,
    ) -> Result<bool, Box<Violation>> {
        if flags.contains(HeapFlags::SHARED_CROSS_ADAPTER) && !flags.contains(HeapFlags::SHARED) {
            return Err(rules::FLAGS_CROSS_ADAPTER.violated(field, flags, "SHARED | SHARED_CROSS_ADAPTER"));
        }
        if flags.contains(HeapFlags::HARDWARE_PROTECTED) && !self.caps.protected_resource_sessions {
            return Err(rules::FLAGS_PROTECTED.violated(
                field,
                flags,
                format_args!("no HARDWARE_PROTECTED on adapter profile {}", self.profile.name),
            ));
        }
        if flags.contains(HeapFlags::ALLOW_WRITE_WATCH)
            && (resolved.cpu_page_property == CpuPageProperty::NotAvailable
                || resolved.memory_pool_preference != MemoryPool::L0)
        {
            return Err(rules::FLAGS_WRITE_WATCH.violated(
                field,
                format_args!(
                    "{flags} with {} on {}",
                    resolved.cpu_page_property, resolved.memory_pool_preference
                ),
                "ALLOW_WRITE_WATCH with WRITE_COMBINE or WRITE_BACK on L0",
            ));
        }
        self.check_atomics(field, flags, heap_type, resolved)
    }

    /// ALLOW_SHADER_ATOMICS in all its cases (spec/2-resource-heaps.txt 1515-1520). Answers whether the
    /// driver sees the flag that denies demotion.
    fn check_atomics(
        &self,
        field: &'static str,
        flags: HeapFlags,
        heap_type: HeapType,
        resolved: &HeapProperties,
    ) -> Result<bool, Box<Violation>> {
        if !flags.contains(HeapFlags::ALLOW_SHADER_ATOMICS) {
            return Ok(false);
        }
        let is_peer_visible = resolved.visible_node_mask & !resolved.creation_node_mask != 0;
        // Cross-adapter heaps lie in system memory and succeed (spec/2-resource-heaps.txt 1520).
        let is_cross_adapter = flags.contains(HeapFlags::SHARED_CROSS_ADAPTER);
        match heap_type {
            HeapType::Upload | HeapType::Readback => {
                return Err(rules::ATOMICS_CPU_ABSTRACTION.violated(
                    field,
                    format_args!("{flags} on a heap of type {heap_type}"),
                    "ALLOW_SHADER_ATOMICS on DEFAULT, CUSTOM or GPU_UPLOAD",
                ));
            }
            HeapType::Default | HeapType::GpuUpload => {
                if is_peer_visible && !is_cross_adapter && !self.caps.cross_node_atomic_shader_instructions {
                    return Err(rules::ATOMICS_PEER.violated(
                        field,
                        format_args!("{flags} with VisibleNodeMask {:#x}", resolved.visible_node_mask),
                        format_args!(
                            "VisibleNodeMask {:#x}: AtomicShaderInstructions is FALSE",
                            resolved.creation_node_mask
                        ),
                    ));
                }
            }
            // Custom heaps translate the flag, and refuse nothing (spec/2-resource-heaps.txt 1519).
            HeapType::Custom => {}
        }
        Ok(is_peer_visible && !is_cross_adapter && resolved.memory_pool_preference == MemoryPool::L1)
    }
}

/// A violation by the heap of CreateCommittedResource: the same rules have sibling messages there, and
/// the caller gave no heap description.
#[cold]
fn of_committed(mut violation: Box<Violation>) -> Box<Violation> {
    violation.message = violation.message.map(|given| match given {
        message::CREATEHEAP_INVALIDSIZE => message::CREATERESOURCE_INVALIDDIMENSIONS,
        message::CREATEHEAP_UNRECOGNIZEDHEAPTYPE => message::CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPTYPE,
        message::CREATEHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES => {
            message::CREATERESOURCEANDHEAP_UNRECOGNIZEDCPUPAGEPROPERTIES
        }
        message::CREATEHEAP_UNRECOGNIZEDMEMORYPOOL => message::CREATERESOURCEANDHEAP_UNRECOGNIZEDMEMORYPOOL,
        message::CREATEHEAP_INVALIDPROPERTIES => message::CREATERESOURCEANDHEAP_INVALIDHEAPPROPERTIES,
        message::CREATEHEAP_UNRECOGNIZEDMISCFLAGS => message::CREATERESOURCEANDHEAP_UNRECOGNIZEDHEAPMISCFLAGS,
        message::CREATEHEAP_INVALIDMISCFLAGS => message::CREATERESOURCEANDHEAP_INVALIDHEAPMISCFLAGS,
        other => other,
    });
    if violation.field == SIZE {
        violation.field = "D3D12_RESOURCE_DESC, the size that it takes";
    }
    violation
}

/// The heap flags that a committed resource's own flags must go with: ALLOW_SHADER_ATOMICS is paired with
/// unordered access (spec/2-resource-heaps.txt 1521).
pub(crate) fn check_committed_atomics(flags: HeapFlags, desc: &ResourceDesc) -> Result<(), Box<Violation>> {
    if flags.contains(HeapFlags::ALLOW_SHADER_ATOMICS)
        && !desc.flags.contains(ResourceFlags::ALLOW_UNORDERED_ACCESS)
    {
        return Err(rules::ATOMICS_COMMITTED_UAV.violated(
            "D3D12_RESOURCE_DESC.Flags",
            format_args!("{} on a heap with flags {flags}", desc.flags),
            "ALLOW_UNORDERED_ACCESS",
        ));
    }
    Ok(())
}

fn explicit_alignment(given: u64) -> Result<Alignment, Box<Violation>> {
    match given {
        0 | limits::DEFAULT_RESOURCE_ALIGNMENT => Ok(Alignment::constant(limits::DEFAULT_RESOURCE_ALIGNMENT)),
        limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT => {
            Ok(Alignment::constant(limits::DEFAULT_MSAA_RESOURCE_ALIGNMENT))
        }
        _ => Err(rules::ALIGNMENT.violated(ALIGNMENT, given, "0, 65536 (64 KiB) or 4194304 (4 MiB)")),
    }
}

#[inline]
fn check_abstract(given: &HeapProperties) -> Result<(), Box<Violation>> {
    if given.cpu_page_property != CpuPageProperty::Unknown {
        return Err(rules::ABSTRACT_PROPERTIES.violated(
            CPU_PAGE_PROPERTY,
            given.cpu_page_property,
            format_args!("UNKNOWN for a heap of type {}", given.heap_type),
        ));
    }
    if given.memory_pool_preference != MemoryPool::Unknown {
        return Err(rules::ABSTRACT_PROPERTIES.violated(
            MEMORY_POOL,
            given.memory_pool_preference,
            format_args!("UNKNOWN for a heap of type {}", given.heap_type),
        ));
    }
    Ok(())
}

fn check_known_flags(field: &'static str, flags: HeapFlags) -> Result<(), Box<Violation>> {
    let unknown = flags.difference(HeapFlags::all());
    if unknown.is_empty() {
        Ok(())
    } else {
        Err(rules::FLAGS_UNRECOGNIZED.violated(
            field,
            format_args!("{:#x}, with unknown bits {:#x}", flags.bits(), unknown.bits()),
            format_args!("bits of {:#x}", HeapFlags::all().bits()),
        ))
    }
}
