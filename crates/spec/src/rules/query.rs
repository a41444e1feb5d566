//! Rules of queries, predication and immediate writes.

use crate::message;

rules! {
    WRITE_LIST_TYPE = "write_immediate.list_type" {
        statement: "WriteBufferImmediate is for the types of lists that the adapter has it for.",
        remedy: "Ask WriteBufferImmediateSupportFlags of D3D12_OPTIONS3, and copy from a buffer where it lacks the list's type.",
        message: Some(message::WRITEBUFFERIMMEDIATE_NOT_SUPPORTED),
        source: "Microsoft's public D3D12 documentation, D3D12_FEATURE_DATA_D3D12_OPTIONS3",
    }
    WRITE_ALIGNMENT = "write_immediate.alignment" {
        statement: "WriteBufferImmediate writes to multiples of 4 bytes.",
        remedy: "Round the address.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_ALIGNMENT),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification, Hardware Requirements",
    }
    WRITE_DESTINATION = "write_immediate.destination" {
        statement: "WriteBufferImmediate writes to addresses of a buffer that the GPU may write.",
        remedy: "Give an address within a buffer that is not on an UPLOAD heap.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_DEST),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification",
    }
    WRITE_MODES = "write_immediate.modes" {
        statement: "Where modes are given there is one for each write.",
        remedy: "Give as many modes as writes, or none.",
        message: Some(message::WRITEBUFFERIMMEDIATE_INVALID_MODE),
        source: "Microsoft's public D3D12 WriteBufferImmediate specification",
    }
    PREDICATION_BUFFER = "predication.buffer" {
        statement: "A predicate is 64 bits of a buffer, at a multiple of 8 bytes.",
        remedy: "Give an offset that is a multiple of 8 and ends 8 bytes before the buffer.",
        message: Some(message::SET_PREDICATION_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, SetPredication",
    }
    QUERY_HEAP_COUNT = "query_heap.count" {
        statement: "A query heap has at least one query.",
        remedy: "Give a count above 0.",
        message: Some(message::CREATEQUERY_HEAP_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_DESC",
    }
    QUERY_HEAP_COPY_QUEUE = "query_heap.copy_queue" {
        statement: "A heap of timestamps of copy queues needs an adapter whose copy queues take them.",
        remedy: "Ask CopyQueueTimestampQueriesSupported of D3D12_OPTIONS3, and take timestamps on other queues where it is not there.",
        message: Some(message::CREATEQUERY_HEAP_COPY_QUEUE_TIMESTAMPS_NOT_SUPPORTED),
        source: "Microsoft's public D3D12 documentation, D3D12_FEATURE_DATA_D3D12_OPTIONS3",
    }
    QUERY_HEAP_NODE = "query_heap.node" {
        statement: "A query heap belongs to one node of the adapter.",
        remedy: "Give one bit of a node that the adapter has, or 0 for the first.",
        message: Some(message::CREATEQUERY_HEAP_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_DESC",
    }
    QUERY_INDEX = "query.index" {
        statement: "A query is one that its heap has.",
        remedy: "Give indices below the heap's count.",
        message: Some(message::BEGIN_END_QUERY_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, EndQuery",
    }
    QUERY_LIST_TYPE = "query.list_type" {
        statement: "Copy lists take timestamps in COPY_QUEUE_TIMESTAMP heaps, other lists in TIMESTAMP heaps.",
        remedy: "Create a query heap of the list's kind.",
        message: Some(message::BEGIN_END_QUERY_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, D3D12_QUERY_HEAP_TYPE",
    }
    QUERY_RESOLVE = "query.resolve" {
        statement: "ResolveQueryData writes 8 bytes a timestamp to a multiple of 8 bytes of a buffer.",
        remedy: "Give a buffer, an offset that is a multiple of 8, and room for all.",
        message: Some(message::RESOLVE_QUERY_DATA_INVALID_PARAMETERS),
        source: "Microsoft's public D3D12 documentation, ResolveQueryData",
    }
}
