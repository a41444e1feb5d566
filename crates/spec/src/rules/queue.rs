//! Rules of command queues and fences.

use crate::message;

rules! {
    QUEUE_NODE = "queue.node" {
        statement: "A queue belongs to one node of the adapter.",
        remedy: "Give one bit of a node that the adapter has, or 0 for the first.",
        message: None,
        source: "Microsoft's public D3D12 documentation, D3D12_COMMAND_QUEUE_DESC",
    }
    EXECUTE_TYPE = "queue.execute.type" {
        statement: "A queue executes lists of its own type only.",
        remedy: "Submit the list to a queue that was created with the list's type.",
        message: Some(message::EXECUTECOMMANDLISTS_COMMANDLISTMISMATCH),
        source: "Microsoft's public D3D12 documentation, ID3D12CommandQueue::ExecuteCommandLists",
    }
    EXECUTE_DEVICE = "queue.execute.device" {
        statement: "Lists, fences and resources are of the queue's device.",
        remedy: "Use objects of one device together.",
        message: None,
        source: "Microsoft's public D3D12 documentation, ID3D12CommandQueue",
    }
    EXECUTE_DESTROYED = "queue.execute.destroyed" {
        statement: "What a list refers to lives until its execution has ended.",
        remedy: "Keep resources and heaps until a fence tells that the last list that refers to them has ended.",
        message: Some(message::OBJECT_DELETED_WHILE_STILL_IN_USE),
        source: "Microsoft's public D3D12 documentation: command lists hold no references to resources",
    }
    FENCE_NONE = "fence.none" {
        statement: "A wait for several fences names at least one.",
        remedy: "Leave the call out where there is nothing to wait for.",
        message: None,
        source: "facts/behaviour.md, Lists, queues, fences",
    }
    STEP_MODE = "queue.step.mode" {
        statement: "Packets are run by a call only where the GPU's mode is Stepped.",
        remedy: "Build the device with the mode Stepped.",
        message: None,
        source: "chosen, because in the other modes the packets run by themselves",
    }
    STEP_REENTRANT = "queue.step.reentrant" {
        statement: "What a queue runs does not step that queue.",
        remedy: "Step from outside of observers and destructors.",
        message: None,
        source: "chosen, because the step would wait for its own end",
    }
}
