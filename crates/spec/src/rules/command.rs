//! Rules of command allocators and command lists.

use crate::message;

rules! {
    ALLOCATOR_RECORDING = "allocator.recording" {
        statement: "One list at a time records from an allocator.",
        remedy: "Close the list that records, or use another allocator.",
        message: Some(message::COMMAND_ALLOCATOR_CONTENTION),
        source: "facts/behaviour.md, Lists, queues, fences",
    }
    ALLOCATOR_RESET_RECORDING = "allocator.reset.recording" {
        statement: "An allocator is not reset while a list records from it.",
        remedy: "Close the list first.",
        message: Some(message::COMMAND_ALLOCATOR_CANNOT_RESET),
        source: "facts/behaviour.md, Lists, queues, fences",
    }
    ALLOCATOR_RESET_IN_FLIGHT = "allocator.reset.in_flight" {
        statement: "An allocator is not reset while the GPU has lists to execute that were recorded from it.",
        remedy: "Wait for a fence that is signalled behind their execution.",
        message: Some(message::COMMAND_ALLOCATOR_SYNC),
        source: "Microsoft's public D3D12 documentation, ID3D12CommandAllocator::Reset",
    }
    LIST_ALLOCATOR_TYPE = "list.allocator.type" {
        statement: "A list records from an allocator of its own type.",
        remedy: "Create an allocator of the list's type.",
        message: Some(message::WRONG_COMMAND_ALLOCATOR_TYPE),
        source: "Microsoft's public D3D12 documentation, CreateCommandList and Reset",
    }
    LIST_DEVICE = "list.device" {
        statement: "What a list refers to is of the list's device.",
        remedy: "Use objects of one device together.",
        message: None,
        source: "Microsoft's public D3D12 documentation: objects belong to the device that created them",
    }
    LIST_ARGUMENT = "list.argument" {
        statement: "A command's arguments are objects of the kinds that it takes, and numbers that D3D12 has a word for.",
        remedy: "Give an object where one is needed, and values of the enumeration.",
        message: None,
        source: "chosen, because D3D12 leaves the arguments undefined, and a list that misses a command had better not run",
    }
    LIST_CLOSED = "list.closed" {
        statement: "Commands are recorded into an open list, and only an open list is closed.",
        remedy: "Reset the list before recording into it again.",
        message: Some(message::COMMAND_LIST_CLOSED),
        source: "Microsoft's public D3D12 documentation, ID3D12GraphicsCommandList::Close",
    }
    LIST_OPEN = "list.open" {
        statement: "Only a closed list is reset.",
        remedy: "Close the list first.",
        message: Some(message::COMMAND_LIST_OPEN),
        source: "Microsoft's public D3D12 documentation, ID3D12GraphicsCommandList::Reset",
    }
    LIST_TYPE = "list.type" {
        statement: "A list records commands that its type of queue executes.",
        remedy: "Record the command into a list of a type that has it.",
        message: None,
        source: "Microsoft's public D3D12 documentation, Design philosophy of command queues and command lists",
    }
    LIST_FULL = "list.full" {
        statement: "A list compiles to a stream of less than 4 GiB.",
        remedy: "Close the list and record into another.",
        message: Some(message::COMMAND_LIST_OUTOFMEMORY),
        source: "chosen, because a patch location counts bytes of the stream in 32 bits (facts/dma-splitting.md, Structures)",
    }
    EXECUTE_OPEN = "list.execute.open" {
        statement: "A list that is executed is closed.",
        remedy: "Close the list first.",
        message: Some(message::EXECUTECOMMANDLISTS_OPENCOMMANDLIST),
        source: "facts/behaviour.md, Lists, queues, fences",
    }
    EXECUTE_FAILED = "list.execute.failed" {
        statement: "A list whose recording broke a rule is not executed.",
        remedy: "Reset the list and record it without the refused command.",
        message: Some(message::EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST),
        source: "facts/behaviour.md, Copies and footprints: such a list fails at Close",
    }
    EXECUTE_UNRECORDED = "list.execute.unrecorded" {
        statement: "A list that is executed was recorded: one that was created closed was reset and closed.",
        remedy: "Reset the list, record into it and close it.",
        message: Some(message::EXECUTECOMMANDLISTS_FAILEDCOMMANDLIST),
        source: "Microsoft's public D3D12 documentation, ID3D12Device4::CreateCommandList1",
    }
    EXECUTE_ALLOCATOR_RESET = "list.execute.allocator_reset" {
        statement: "A list is executed before the allocator that it was recorded from is reset.",
        remedy: "Record the list again after its allocator was reset.",
        message: Some(message::COMMAND_LIST_SYNC),
        source: "Microsoft's public D3D12 documentation, ID3D12CommandAllocator::Reset",
    }
    DESCRIPTOR_HEAPS_VISIBLE = "list.descriptor_heaps.visible" {
        statement: "The descriptor heaps of a list are heaps that shaders see.",
        remedy: "Create the heap with SHADER_VISIBLE.",
        message: Some(message::SET_DESCRIPTOR_HEAP_INVALID),
        source: "Microsoft's public D3D12 documentation, SetDescriptorHeaps",
    }
    DESCRIPTOR_HEAPS_TYPE = "list.descriptor_heaps.type" {
        statement: "A list has at most one descriptor heap of each type.",
        remedy: "Put the descriptors into one heap, or set the heaps one after the other.",
        message: Some(message::SET_DESCRIPTOR_HEAP_INVALID),
        source: "Microsoft's public D3D12 documentation, SetDescriptorHeaps; facts/buffer-views.md, Sampler heaps",
    }
}
