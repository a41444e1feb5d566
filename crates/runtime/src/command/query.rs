//! Query heaps, EndQuery and ResolveQueryData: timestamps.
//!
//! A query heap is a buffer of the device's own, 8 bytes a query: the engine writes its time there, and
//! ResolveQueryData copies (chosen: D3D12 leaves a heap's representation to the driver).

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use heapstone_driver::dma::{Address, Command};
use heapstone_spec::commands::{CommandListType, QueryHeapDesc, QueryHeapType, QueryType};
use heapstone_spec::rules::query as rules;
use heapstone_spec::{HeapType, ResourceDesc, Violation};

use super::copy_buffer::{address_in, check_buffer, check_destination_heap, range_in};
use super::list::{CommandList, other_device};
use super::observed::ListCommand;
use crate::address::deleted_in_use;
use crate::desc::CommittedResourceDesc;
use crate::device::{Device, DeviceRef};
use crate::error::Error;
use crate::object::{Labels, shared_object};
use crate::observer::{Call, ObjectId};
use crate::resource::Resource;
use crate::validate::node::one_node;

/// Bytes of a timestamp.
const SIZE: u64 = 8;

/// A query heap (ID3D12QueryHeap): a cheap handle.
#[derive(Clone)]
pub struct QueryHeap {
    inner: Arc<QueryHeapInner>,
}

struct QueryHeapInner {
    device: DeviceRef,
    desc: QueryHeapDesc,
    results: Resource,
    id: ObjectId,
    labels: Labels,
}

impl Device {
    /// ID3D12Device::CreateQueryHeap.
    ///
    /// # Errors
    /// [`Error::Invalid`] with a rule of `query_heap.*`; [`Error::OutOfMemory`].
    pub fn create_query_heap(&self, desc: &QueryHeapDesc) -> Result<QueryHeap, Error> {
        let id = self.inner.new_object();
        let result = self.create_query_heap_unobserved(desc, id);
        self.inner.observe(|| Call::CreateQueryHeap {
            object: id,
            desc,
            outcome: result.as_ref().map(|_| ()),
        });
        result
    }

    fn create_query_heap_unobserved(&self, desc: &QueryHeapDesc, id: ObjectId) -> Result<QueryHeap, Error> {
        if desc.count == 0 {
            return Err(rules::QUERY_HEAP_COUNT.violated("Count", desc.count, "at least 1").into());
        }
        if desc.heap_type == QueryHeapType::CopyQueueTimestamp && !self.caps().copy_queue_timestamp_queries {
            return Err(rules::QUERY_HEAP_COPY_QUEUE
                .violated(
                    "Type",
                    desc.heap_type,
                    format_args!("{} on this adapter", QueryHeapType::Timestamp),
                )
                .into());
        }
        one_node(&self.profile().memory, &rules::QUERY_HEAP_NODE, "NodeMask", desc.node_mask)?;
        let mut buffer =
            CommittedResourceDesc::new(HeapType::Default, ResourceDesc::buffer(u64::from(desc.count) * SIZE));
        buffer.heap_properties = buffer.heap_properties.with_nodes(desc.node_mask, desc.node_mask);
        // Nobody hears of the buffer: it has no number, and takes no address that was meant for another.
        let results = self
            .inner
            .next_addresses
            .set_aside(|| self.create_committed_unobserved(&buffer, None, ObjectId::default()))?;
        let inner =
            QueryHeapInner { device: self.reference(), desc: *desc, results, id, labels: Labels::default() };
        Ok(QueryHeap { inner: Arc::new(inner) })
    }
}

impl QueryHeap {
    /// The buffer that its queries are in.
    pub(crate) fn results(&self) -> &Resource {
        &self.inner.results
    }

    /// ID3D12Device15::ResolveQueryData: `count` timestamps from `start_index` on, as they are now; the caller waits for
    /// the GPU first. A query that never ended is 0.
    ///
    /// # Errors
    /// [`Error::Invalid`] (`query.index`); [`Error::Driver`] where the heap has no bytes.
    pub fn read_timestamps(&self, start_index: u32, count: u32) -> Result<Vec<u64>, Error> {
        let queries = self.check_range(start_index, count)?;
        let core =
            self.inner.results.inner.heap_core().expect("invariant: the results are a committed buffer");
        let mut bytes = [0; 8];
        queries
            .map(|query| {
                core.driver().read(query * SIZE, &mut bytes)?;
                Ok(u64::from_le_bytes(bytes))
            })
            .collect()
    }

    fn check_range(&self, first: u32, count: u32) -> Result<Range<u64>, Box<Violation>> {
        let there_are = self.inner.desc.count;
        let queries = u64::from(first)..u64::from(first) + u64::from(count);
        if queries.end > u64::from(there_are) {
            return Err(rules::QUERY_INDEX.violated(
                "Index, NumQueries",
                format_args!("{count} from {first}"),
                format_args!("within {there_are}"),
            ));
        }
        Ok(queries)
    }

    /// As it was created.
    #[must_use]
    pub fn desc(&self) -> QueryHeapDesc {
        self.inner.desc
    }
}

impl CommandList {
    /// ID3D12GraphicsCommandList::EndQuery of a timestamp: the engine's time when it comes here.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `query.index`, `query.list_type`, or a rule of `list.*`.
    pub fn end_query(&mut self, heap: &QueryHeap, query_type: QueryType, index: u32) -> Result<(), Error> {
        let result = self.record_end_query(heap, index);
        self.ended(result, || ListCommand::EndQuery { heap: heap.id(), query_type, index })
    }

    /// ID3D12GraphicsCommandList::ResolveQueryData: `count` timestamps from `start_index` on, 8 bytes each, to
    /// `offset` of the buffer. No queries are no command.
    ///
    /// # Errors
    /// [`Error::Invalid`]: `query.index`, `query.list_type`, `query.resolve`, `copy.destination.heap`, or a rule of
    /// `list.*`.
    pub fn resolve_query_data(
        &mut self,
        heap: &QueryHeap,
        query_type: QueryType,
        start_index: u32,
        count: u32,
        destination: &Resource,
        offset: u64,
    ) -> Result<(), Error> {
        let result = self.record_resolve_query(heap, start_index, count, destination, offset);
        self.ended(result, || ListCommand::ResolveQueryData {
            heap: heap.id(),
            query_type,
            start_index,
            count,
            destination: destination.id(),
            offset,
        })
    }

    fn record_end_query(&mut self, heap: &QueryHeap, index: u32) -> Result<(), Box<Violation>> {
        const CALL: &str = "EndQuery";
        self.recorder(CALL, CommandListType::ALL)?;
        self.check_queries(heap, index, 1)?;
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(1)?;
        let results = &heap.inner.results;
        let destination = Address {
            allocation: recorder.allocation(results),
            at: address_in(results, u64::from(index) * SIZE),
        };
        recorder.push(&Command::Timestamp { destination });
        Ok(())
    }

    fn record_resolve_query(
        &mut self,
        heap: &QueryHeap,
        start_index: u32,
        count: u32,
        destination: &Resource,
        offset: u64,
    ) -> Result<(), Box<Violation>> {
        const CALL: &str = "ResolveQueryData";
        self.recorder(CALL, CommandListType::ALL)?;
        let queries = self.check_queries(heap, start_index, count)?;
        self.check_device("pDestinationBuffer", destination)?;
        check_buffer(&rules::QUERY_RESOLVE, "pDestinationBuffer", destination)?;
        check_destination_heap("pDestinationBuffer", destination)?;
        if !offset.is_multiple_of(SIZE) {
            return Err(rules::QUERY_RESOLVE.violated(
                "AlignedDestinationBufferOffset",
                offset,
                "a multiple of 8",
            ));
        }
        let size = (queries.end - queries.start) * SIZE;
        range_in(&rules::QUERY_RESOLVE, "AlignedDestinationBufferOffset", destination, offset, size)?;
        if size == 0 {
            return Ok(());
        }
        let results = &heap.inner.results;
        let recorder = self.recorder(CALL, CommandListType::ALL)?;
        recorder.begin_call(1)?;
        let [destination, source] =
            [(destination, offset), (results, queries.start * SIZE)].map(|(buffer, offset)| Address {
                allocation: recorder.allocation(buffer),
                at: address_in(buffer, offset),
            });
        recorder.push(&Command::CopyBuffer { destination, source, size });
        Ok(())
    }

    /// The queries, which the heap has and the list takes.
    fn check_queries(&self, heap: &QueryHeap, first: u32, count: u32) -> Result<Range<u64>, Box<Violation>> {
        if !core::ptr::eq::<crate::device::DeviceInner>(&*heap.inner.device, &*self.device) {
            return Err(other_device("pQueryHeap"));
        }
        let heap_type = heap.inner.desc.heap_type;
        let is_copy = self.list_type == CommandListType::Copy;
        if is_copy != (heap_type == QueryHeapType::CopyQueueTimestamp) {
            return Err(rules::QUERY_LIST_TYPE.violated(
                "pQueryHeap",
                format_args!("a heap of type {heap_type} in a list of type {}", self.list_type),
                if is_copy { QueryHeapType::CopyQueueTimestamp } else { QueryHeapType::Timestamp },
            ));
        }
        heap.check_range(first, count)
    }
}

shared_object!(QueryHeap);

impl fmt::Debug for QueryHeap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueryHeap")
            .field("id", &self.inner.id)
            .field("desc", &self.inner.desc)
            .finish_non_exhaustive()
    }
}

impl Drop for QueryHeapInner {
    fn drop(&mut self) {
        // Only work in flight holds the results as well.
        if Arc::strong_count(&self.results.inner) > 1 {
            self.device.notice(|| deleted_in_use(self.id));
        }
        self.device.observe(|| Call::Destroy { object: self.id });
    }
}
