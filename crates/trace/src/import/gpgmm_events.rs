//! The events of GPGMM's that tell of memory, as serde reads them.
//!
//! Fields that are not needed are not named: GPGMM adds some with each version.

use std::borrow::Cow;

use heapstone::InitialState;
use heapstone_spec::{
    ClearColor, ClearValue, CpuPageProperty, Format, HeapDesc, HeapFlags, HeapProperties, HeapType,
    MemoryPool, ResourceDesc, ResourceDimension, ResourceFlags, ResourceStates, SampleDesc, TextureLayout,
};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::model::ResourceArguments;

/// What every event has.
#[derive(Deserialize)]
pub(super) struct Event<'a> {
    #[serde(borrow, default)]
    pub(super) name: Cow<'a, str>,
    #[serde(borrow, default)]
    pub(super) ph: Cow<'a, str>,
    #[serde(default)]
    pub(super) tid: u64,
    #[serde(default)]
    pub(super) pid: u64,
    #[serde(default)]
    pub(super) ts: f64,
    #[serde(borrow, default)]
    pub(super) id: Option<Cow<'a, str>>,
    #[serde(default, rename = "args")]
    _args: IgnoredAny,
}

/// An event with its arguments.
#[derive(Deserialize)]
pub(super) struct WithArgs<A> {
    pub(super) args: A,
}

/// Arguments of an object's snapshot.
#[derive(Deserialize)]
pub(super) struct Snapshot<S> {
    pub(super) snapshot: S,
}

/// `ResourceAllocator.CreateResource`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateResource {
    pub(super) allocation_descriptor: AllocationDescriptor,
    pub(super) resource_descriptor: ResourceText,
    #[serde(default)]
    pub(super) initial_resource_state: u32,
    #[serde(default)]
    pub(super) clear_value: ClearText,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct AllocationDescriptor {
    pub(super) heap_type: u32,
}

/// D3D12_RESOURCE_DESC.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ResourceText {
    dimension: u32,
    #[serde(default)]
    alignment: u64,
    width: u64,
    height: u32,
    depth_or_array_size: u16,
    mip_levels: u16,
    format: u32,
    layout: u32,
    sample_desc: SampleText,
    flags: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SampleText {
    count: u32,
    quality: u32,
}

/// D3D12_CLEAR_VALUE; an empty object where there is none.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ClearText {
    #[serde(default)]
    format: Option<u32>,
    #[serde(default)]
    color: Option<ColorText>,
    #[serde(default)]
    depth_stencil: Option<DepthStencilText>,
    #[serde(default)]
    depth: Option<f32>,
    #[serde(default)]
    stencil: Option<u8>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ColorText {
    r: f32,
    g: f32,
    b: f32,
    a: f32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct DepthStencilText {
    depth: f32,
    #[serde(default)]
    stencil: u8,
}

/// `Heap.CreateHeap`, and the snapshots of heaps that hold the description.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct CreateHeap {
    pub(super) heap: HeapText,
}

/// D3D12_HEAP_DESC.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct HeapText {
    size_in_bytes: u64,
    properties: PropertiesText,
    alignment: u64,
    flags: u32,
}

/// D3D12_HEAP_PROPERTIES. Traces of May 2022 have the type under the key SizeInBytes.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PropertiesText {
    #[serde(rename = "Type", default)]
    heap_type: Option<u32>,
    #[serde(default)]
    size_in_bytes: Option<u32>,
    #[serde(rename = "CPUPageProperty", default)]
    cpu_page_property: u32,
    #[serde(default)]
    memory_pool_preference: u32,
    #[serde(default)]
    creation_node_mask: u32,
    #[serde(default)]
    visible_node_mask: u32,
}

/// A snapshot of `Heap`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct HeapSnapshot {
    #[serde(default)]
    pub(super) heap: Option<HeapText>,
    #[serde(default)]
    pub(super) debug_name: Option<String>,
}

/// A snapshot of `ResourceAllocation`.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct AllocationSnapshot {
    #[serde(default)]
    pub(super) heap_offset: Option<u64>,
    #[serde(default)]
    pub(super) resource_heap: Option<Reference>,
    #[serde(default)]
    pub(super) debug_name: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Reference {
    pub(super) id_ref: String,
}

/// A number that is none of D3D12's.
#[derive(Debug)]
pub(super) struct NotD3d12 {
    pub(super) expected: String,
    pub(super) found: String,
}

fn number<T>(found: Option<T>, what: &str, expected: &str, given: u32) -> Result<T, NotD3d12> {
    found.ok_or_else(|| NotD3d12 { expected: format!("a {what}: {expected}"), found: given.to_string() })
}

pub(super) fn heap_type(given: u32) -> Result<HeapType, NotD3d12> {
    number(HeapType::from_d3d12(given), "D3D12_HEAP_TYPE", "1 to 5", given)
}

impl HeapText {
    pub(super) fn desc(&self) -> Result<HeapDesc, NotD3d12> {
        let text = &self.properties;
        let Some(given) = text.heap_type.or(text.size_in_bytes) else {
            return Err(NotD3d12 {
                expected: "Type among the heap's Properties".to_owned(),
                found: "Properties without it".to_owned(),
            });
        };
        Ok(HeapDesc {
            size: self.size_in_bytes,
            properties: HeapProperties {
                heap_type: heap_type(given)?,
                cpu_page_property: number(
                    CpuPageProperty::from_d3d12(text.cpu_page_property),
                    "D3D12_CPU_PAGE_PROPERTY",
                    "0 to 3",
                    text.cpu_page_property,
                )?,
                memory_pool_preference: number(
                    MemoryPool::from_d3d12(text.memory_pool_preference),
                    "D3D12_MEMORY_POOL",
                    "0 to 2",
                    text.memory_pool_preference,
                )?,
                creation_node_mask: text.creation_node_mask,
                visible_node_mask: text.visible_node_mask,
            },
            alignment: self.alignment,
            flags: HeapFlags::from_bits_retain(self.flags),
        })
    }
}

impl CreateResource {
    /// The resource that was asked for.
    pub(super) fn arguments(&self) -> Result<ResourceArguments, NotD3d12> {
        Ok(ResourceArguments {
            desc: self.resource_descriptor.desc()?,
            initial: InitialState::State(ResourceStates::from_bits_retain(self.initial_resource_state)),
            clear_value: self.clear_value.value()?,
            castable_formats: Box::default(),
        })
    }
}

impl ResourceText {
    fn desc(&self) -> Result<ResourceDesc, NotD3d12> {
        Ok(ResourceDesc {
            dimension: number(
                ResourceDimension::from_d3d12(self.dimension),
                "D3D12_RESOURCE_DIMENSION",
                "0 to 4",
                self.dimension,
            )?,
            alignment: self.alignment,
            width: self.width,
            height: self.height,
            depth_or_array_size: self.depth_or_array_size,
            mip_levels: self.mip_levels,
            format: format(self.format)?,
            sample_desc: SampleDesc { count: self.sample_desc.count, quality: self.sample_desc.quality },
            layout: number(
                TextureLayout::from_d3d12(self.layout),
                "D3D12_TEXTURE_LAYOUT",
                "0 to 3",
                self.layout,
            )?,
            flags: ResourceFlags::from_bits_retain(self.flags),
            ..ResourceDesc::buffer(0)
        })
    }
}

fn format(given: u32) -> Result<Format, NotD3d12> {
    number(Format::from_dxgi(given), "DXGI_FORMAT", "0 to 115, 130 to 132 or 189 to 191", given)
}

impl ClearText {
    fn value(&self) -> Result<Option<ClearValue>, NotD3d12> {
        let Some(given) = self.format else { return Ok(None) };
        let format = format(given)?;
        let nested = self.depth_stencil.as_ref().map(|both| (both.depth, both.stencil));
        let flat = self.depth.map(|depth| (depth, self.stencil.unwrap_or(0)));
        let value = match (&self.color, nested.or(flat)) {
            (Some(color), _) => ClearColor::Color([color.r, color.g, color.b, color.a]),
            (None, Some((depth, stencil))) => ClearColor::DepthStencil { depth, stencil },
            // D3D12_CLEAR_VALUE is a union: all zero is both.
            (None, None) => ClearColor::Color([0.0; 4]),
        };
        Ok(Some(ClearValue { format, value }))
    }
}
