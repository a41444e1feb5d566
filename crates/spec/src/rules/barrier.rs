//! Rules of barriers, old and enhanced.
//!
//! Those of enhanced barriers are Microsoft's public D3D12 enhanced-barriers specification's, whose sections
//! they cite as "enhanced barriers".

use crate::message;

rules! {
    TRANSITION_SUBRESOURCE = "barrier.transition.subresource" {
        statement: "A transition names a subresource that the resource has, or all.",
        remedy: "Give an index below mips x slices x planes, or D3D12_RESOURCE_BARRIER_ALL_SUBRESOURCES.",
        message: Some(message::RESOURCE_BARRIER_INVALID_SUBRESOURCE),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_TRANSITION_BARRIER",
    }
    TRANSITION_SAME = "barrier.transition.same" {
        statement: "A transition leads from one state to another.",
        remedy: "Leave the barrier out, or use a UAV barrier between unordered accesses.",
        message: Some(message::RESOURCE_BARRIER_MATCHING_STATES),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_TRANSITION_BARRIER",
    }
    STATE_UNRECOGNIZED = "barrier.state.unrecognized" {
        statement: "A state has only bits that D3D12 defines.",
        remedy: "Use the enumerators of D3D12_RESOURCE_STATES.",
        message: Some(message::RESOURCE_BARRIER_RESERVED_BITS),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_STATES",
    }
    STATE_EXCLUSIVE = "barrier.state.exclusive" {
        statement: "A state that writes stands alone; states that read may be combined.",
        remedy: "Split the use into two transitions.",
        message: Some(message::RESOURCE_BARRIER_INVALID_COMBINATION),
        source: "Microsoft's public D3D12 documentation, Using resource barriers to synchronize resource states",
    }
    STATE_DIMENSION = "barrier.state.dimension" {
        statement: "Buffers have states of buffers, textures those of textures.",
        remedy: "Use a state that the resource's dimension has.",
        message: Some(message::RESOURCE_BARRIER_INVALID_RESOURCE),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_STATES",
    }
    STATE_FLAGS = "barrier.state.flags" {
        statement: "A state is one that the resource's flags allow.",
        remedy: "Create the resource with the flag.",
        message: Some(message::RESOURCE_BARRIER_MISSING_BIND_FLAGS),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_STATES",
    }
    STATE_DENIED = "barrier.state.denied" {
        statement: "Beside DENY_SHADER_RESOURCE there is no state of shader resources.",
        remedy: "Create the resource without the flag.",
        message: Some(message::RESOURCE_BARRIER_MISMATCHING_MISC_FLAGS),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_FLAGS",
    }
    STATE_LIST_TYPE = "barrier.state.list_type" {
        statement: "A list's barriers name states that its type of queue has: copy queues COMMON and those of copies, compute queues none of graphics.",
        remedy: "Record the transition into a list of a type that has both states, or through COMMON.",
        message: Some(message::RESOURCE_BARRIER_INVALID_COMMAND_LIST_TYPE),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_STATES and Executing and synchronizing command lists",
    }
    STATE_ACCELERATION_STRUCTURE = "barrier.state.acceleration_structure" {
        statement: "RAYTRACING_ACCELERATION_STRUCTURE is a state for good: nothing leads to it or from it.",
        remedy: "Create the buffer in that state; synchronise with UAV barriers.",
        message: Some(message::RESOURCE_BARRIER_INVALID_COMBINATION),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_STATES",
    }
    STATE_HEAP = "barrier.state.heap" {
        statement: "What lies on an UPLOAD or READBACK heap keeps its state.",
        remedy: "Leave the transition out.",
        message: Some(message::RESOURCE_BARRIER_INVALID_HEAP),
        source: "Microsoft's public D3D12 documentation, D3D12_HEAP_TYPE",
    }
    FLAGS = "barrier.flags" {
        statement: "A barrier is whole, or the beginning or the end of a split one.",
        remedy: "Give NONE, BEGIN_ONLY or END_ONLY.",
        message: Some(message::RESOURCE_BARRIER_INVALID_SPLIT_BARRIER),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_BARRIER_FLAGS",
    }
    UAV_FLAGS = "barrier.uav.flags" {
        statement: "A UAV barrier is for a resource with unordered access, or for all of them.",
        remedy: "Create the resource with ALLOW_UNORDERED_ACCESS, or give NULL.",
        message: Some(message::RESOURCE_BARRIER_MISSING_BIND_FLAGS),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_UAV_BARRIER",
    }
    ALIASING_RESOURCE = "barrier.aliasing.resource" {
        statement: "An aliasing barrier is for placed and reserved resources, or NULL for any: others share no memory.",
        remedy: "Leave the barrier out for committed resources.",
        message: Some(message::RESOURCE_BARRIER_INVALID_RESOURCE),
        source: "Microsoft's public D3D12 documentation, D3D12_RESOURCE_ALIASING_BARRIER",
    }
    ENHANCED_UNSUPPORTED = "barrier.enhanced.unsupported" {
        statement: "Enhanced barriers need EnhancedBarriersSupported.",
        remedy: "Use ResourceBarrier, or another adapter or a newer SDK.",
        message: Some(message::ENHANCED_BARRIERS_NOT_SUPPORTED),
        source: "enhanced barriers, Hardware Requirements",
    }
    ENHANCED_TYPE = "barrier.enhanced.type" {
        statement: "Texture barriers are for textures, buffer barriers for buffers.",
        remedy: "Put the barrier into a group of the other type.",
        message: Some(message::INCOMPATIBLE_BARRIER_RESOURCE_DIMENSION),
        source: "enhanced barriers, D3D12_BARRIER_TYPE",
    }
    ENHANCED_UNRECOGNIZED = "barrier.enhanced.unrecognized" {
        statement: "Sync, access and flags have only bits that D3D12 defines.",
        remedy: "Use the enumerators of D3D12_BARRIER_SYNC, D3D12_BARRIER_ACCESS, D3D12_TEXTURE_BARRIER_FLAGS.",
        message: Some(message::INCOMPATIBLE_BARRIER_VALUES),
        source: "enhanced barriers, D3D12_BARRIER_SYNC, D3D12_BARRIER_ACCESS, D3D12_TEXTURE_BARRIER_FLAGS",
    }
    NO_ACCESS = "barrier.access.no_access" {
        statement: "NO_ACCESS stands alone, and beside sync NONE there is no other access.",
        remedy: "Give NO_ACCESS alone, or say with a sync what makes the access.",
        message: Some(message::INCOMPATIBLE_BARRIER_VALUES),
        source: "enhanced barriers, D3D12_BARRIER_SYNC_NONE",
    }
    ACCESS_SYNC = "barrier.access.sync" {
        statement: "Each access is one that some of the sync's work makes.",
        remedy: "Add the sync that makes the access, or ALL.",
        message: Some(message::INCOMPATIBLE_BARRIER_SYNC),
        source: "enhanced barriers, Access Bits Barrier Sync Compatibility",
    }
    ACCESS_LAYOUT = "barrier.access.layout" {
        statement: "Each access is one that the layout allows.",
        remedy: "Choose a layout that allows every access, or COMMON access.",
        message: Some(message::INCOMPATIBLE_BARRIER_ACCESS),
        source: "enhanced barriers, Layout Access Compatibility",
    }
    ACCESS_RESOURCE = "barrier.access.resource" {
        statement: "Each access is one that the resource's dimension, flags and heap allow.",
        remedy: "Create the resource with the flag, or leave the access out.",
        message: Some(message::INCOMPATIBLE_BARRIER_ACCESS),
        source: "enhanced barriers, D3D12_BARRIER_ACCESS, Upload Heap Resources, Readback Heap Resources",
    }
    ACCESS_LIST_TYPE = "barrier.access.list_type" {
        statement: "Each access is one that the list's type of queue makes.",
        remedy: "Record the barrier into a list of a type that makes the access.",
        message: Some(message::INCOMPATIBLE_BARRIER_ACCESS),
        source: "enhanced barriers, Command Queue Access Compatibility",
    }
    SYNC_LIST_TYPE = "barrier.sync.list_type" {
        statement: "Each sync is of work that the list's type of queue does.",
        remedy: "Record the barrier into a list of a type that does the work, or sync with ALL.",
        message: Some(message::INCOMPATIBLE_BARRIER_SYNC),
        source: "enhanced barriers, Command Queue Sync Compatibility",
    }
    SYNC_SPLIT = "barrier.sync.split" {
        statement: "SPLIT stands alone, on one side of a texture or buffer barrier.",
        remedy: "Begin with SyncAfter SPLIT, end with SyncBefore SPLIT; a global barrier is not split.",
        message: Some(message::INCOMPATIBLE_BARRIER_SYNC),
        source: "enhanced barriers, Split Barriers and D3D12_BARRIER_TYPE",
    }
    LAYOUT_LIST_TYPE = "barrier.layout.list_type" {
        statement: "Both layouts are those of the list's type of queue.",
        remedy: "Record the barrier into a list of a type that has both, or through COMMON.",
        message: Some(message::INCOMPATIBLE_BARRIER_LAYOUT),
        source: "enhanced barriers, Command Queue Layout Compatibility",
    }
    LAYOUT_UNDEFINED = "barrier.layout.undefined" {
        statement: "Where one of the layouts is UNDEFINED, so is the content: its access is NO_ACCESS.",
        remedy: "Give NO_ACCESS on that side, or UNDEFINED on both for a barrier of memory only.",
        message: Some(message::INCOMPATIBLE_BARRIER_ACCESS),
        source: "enhanced barriers, D3D12_BARRIER_LAYOUT_UNDEFINED",
    }
    LAYOUT_RESOURCE = "barrier.layout.resource" {
        statement: "Both layouts are those that the texture's flags allow; a simultaneous-access texture stays in COMMON.",
        remedy: "Create the texture with the flag.",
        message: Some(message::INCOMPATIBLE_BARRIER_LAYOUT),
        source: "enhanced barriers, Single-Queue Simultaneous Access and Interop with legacy ResourceBarrier",
    }
    SUBRESOURCES = "barrier.subresources" {
        statement: "A texture barrier is for subresources that the texture has.",
        remedy: "Cut the range to the texture's mips, slices and planes.",
        message: Some(message::TEXTURE_BARRIER_SUBRESOURCES_OUT_OF_BOUNDS),
        source: "enhanced barriers, D3D12_BARRIER_SUBRESOURCE_RANGE; facts/behaviour.md, Barriers",
    }
    BUFFER_RANGE = "barrier.buffer.range" {
        statement: "A buffer barrier is for the whole buffer: offset 0, and its width or UINT64_MAX.",
        remedy: "Give Offset 0 and Size UINT64_MAX.",
        message: Some(message::BUFFER_BARRIER_SUBREGION_OUT_OF_BOUNDS),
        source: "enhanced barriers, D3D12_BUFFER_BARRIER",
    }
    DISCARD = "barrier.discard" {
        statement: "DISCARD is for a barrier from layout UNDEFINED.",
        remedy: "Give LayoutBefore UNDEFINED, or leave DISCARD out.",
        message: Some(message::INCOMPATIBLE_BARRIER_VALUES),
        source: "enhanced barriers, D3D12_TEXTURE_BARRIER_FLAG_DISCARD",
    }
}
