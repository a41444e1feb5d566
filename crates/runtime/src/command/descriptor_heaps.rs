//! SetDescriptorHeaps.

use heapstone_spec::Violation;
use heapstone_spec::commands::CommandListType;
use heapstone_spec::rules::command as rules;
use heapstone_spec::views::{CpuDescriptorHandle, DescriptorHeapType};

use super::list::{CommandList, other_device};
use super::observed::ListCommand;
use crate::descriptor::{DescriptorHeap, WeakDescriptorHeap};
use crate::error::Error;

/// The heaps that a list has set, by their first handles: handles are never used again.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct BoundHeaps {
    views: Option<CpuDescriptorHandle>,
    samplers: Option<CpuDescriptorHandle>,
}

impl CommandList {
    /// ID3D12GraphicsCommandList::SetDescriptorHeaps: the heaps that shaders see from now on, in place of those
    /// before. No engine here runs shaders, so that it is not part of the stream.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `list.*`.
    pub fn set_descriptor_heaps(&mut self, heaps: &[&DescriptorHeap]) -> Result<(), Error> {
        let result = self.bind(heaps);
        self.ended(result, || ListCommand::SetDescriptorHeaps { heaps })
    }

    fn bind(&mut self, heaps: &[&DescriptorHeap]) -> Result<(), Box<Violation>> {
        self.recorder("SetDescriptorHeaps", &[CommandListType::Direct, CommandListType::Compute])?;
        let mut bound = BoundHeaps::default();
        for heap in heaps {
            if !core::ptr::eq(heap.device_inner(), self.device_inner()) {
                return Err(other_device("ppDescriptorHeaps"));
            }
            let desc = heap.desc();
            let slot = match desc.heap_type {
                DescriptorHeapType::CbvSrvUav if desc.is_shader_visible() => &mut bound.views,
                DescriptorHeapType::Sampler if desc.is_shader_visible() => &mut bound.samplers,
                heap_type => {
                    return Err(rules::DESCRIPTOR_HEAPS_VISIBLE.violated(
                        "ppDescriptorHeaps",
                        format_args!("a heap of type {heap_type} with flags {}", desc.flags),
                        "heaps with SHADER_VISIBLE",
                    ));
                }
            };
            if slot.replace(heap.cpu_start()).is_some() {
                return Err(rules::DESCRIPTOR_HEAPS_TYPE.violated(
                    "ppDescriptorHeaps",
                    format_args!("two heaps of type {}", desc.heap_type),
                    "one heap of each type",
                ));
            }
        }
        self.bound = bound;
        for heap in heaps.iter().map(|heap| WeakDescriptorHeap::of(heap)) {
            if !self.descriptor_heaps.iter().any(|set| set.is(&heap)) {
                self.descriptor_heaps.push(heap);
            }
        }
        Ok(())
    }

    /// The first handle of the heap of that type that is set.
    pub(super) fn descriptor_heap(&self, heap_type: DescriptorHeapType) -> Option<CpuDescriptorHandle> {
        match heap_type {
            DescriptorHeapType::CbvSrvUav => self.bound.views,
            DescriptorHeapType::Sampler => self.bound.samplers,
            DescriptorHeapType::Rtv | DescriptorHeapType::Dsv => None,
        }
    }
}
