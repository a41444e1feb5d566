//! ID3D12GraphicsCommandList 0 to 10.
//!
//! Copies, clears, resolves, barriers, queries and immediate writes are recorded and executed. State of pipelines is
//! accepted and goes nowhere; draws, dispatches and what else needs a shader is recorded without effect, and reported
//! once for each device.

mod copies;
mod debug;
mod methods;

use core::ffi::c_void;
use core::ptr::NonNull;

use heapstone::spec::message;
use parking_lot::Mutex;

use crate::allocator::CommandAllocator;
use crate::com::{Held, Object, class, deliver, faces, from_client};
use crate::convert;
use crate::device::Device;
use crate::device::debug_device::DebugState;
use crate::device::query::check_node;
use crate::failure::{Failure, Unknown};
use crate::messages::{Category, Severity};
use crate::states::States;
use crate::types::{E_FAIL, GUID, HRESULT};

/// A command list.
pub struct GraphicsCommandList {
    /// The library's. D3D12's lists are recorded by one thread at a time: the lock is never waited for.
    runtime: Mutex<heapstone::CommandList>,
    /// As the client named it: a bundle is the library's direct list.
    list_type: u32,
    /// What ID3D12DebugCommandList set.
    debug: DebugState,
    /// In which its barriers leave resources, on a device that is watched.
    states: Mutex<States>,
}

class!(GraphicsCommandList, ID3D12GraphicsCommandList10Vtbl, "ID3D12GraphicsCommandList", {
    fn face(this: &Object<GraphicsCommandList>, iid: &GUID) -> Option<NonNull<c_void>> {
        faces!(GraphicsCommandList, this, iid, [ID3D12DebugCommandList3Vtbl, ID3D12DebugCommandList1Vtbl])
    }

    fn renamed(this: &Object<GraphicsCommandList>, name: &str) {
        if let Some(list) = this.runtime.try_lock() {
            list.set_name(name);
        }
    }
});

/// D3D12_COMMAND_LIST_TYPE_BUNDLE: state and draws only, so that nothing of it runs here.
const BUNDLE: u32 = 1;

/// ID3D12Device::CreateCommandList.
pub(crate) unsafe fn create(
    this: &Object<Device>,
    node_mask: u32,
    list_type: u32,
    allocator: *mut c_void,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<GraphicsCommandList>, Failure> {
        // SAFETY: the pointer is the client's.
        let allocator = unsafe { from_client::<CommandAllocator>(allocator) };
        let allocator = allocator.ok_or(Failure::Argument("pCommandAllocator is no command allocator"))?;
        check_bundle(list_type, allocator)?;
        check_node(this, node_mask)?;
        let runtime = this.runtime.create_command_list(runtime_type(list_type)?, &allocator.runtime)?;
        Ok(wrap(this, runtime, list_type))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

/// ID3D12Device4::CreateCommandList1: closed.
pub(crate) unsafe fn create_closed(
    this: &Object<Device>,
    node_mask: u32,
    list_type: u32,
    flags: u32,
    iid: *const GUID,
    out: *mut *mut c_void,
) -> HRESULT {
    let create = || -> Result<Held<GraphicsCommandList>, Failure> {
        check_node(this, node_mask)?;
        if flags != 0 {
            return Err(Unknown { field: "D3D12_COMMAND_LIST_FLAGS", given: u64::from(flags) }.into());
        }
        Ok(wrap(this, this.runtime.create_closed_command_list(runtime_type(list_type)?)?, list_type))
    };
    // SAFETY: the arguments are the client's.
    unsafe { deliver(iid, out, || this.attempt(create)) }
}

fn wrap(
    device: &Object<Device>,
    runtime: heapstone::CommandList,
    list_type: u32,
) -> Held<GraphicsCommandList> {
    let list = GraphicsCommandList {
        runtime: Mutex::new(runtime),
        list_type,
        debug: DebugState::default(),
        states: Mutex::default(),
    };
    Object::create(list, Some(device), device.convention())
}

/// The library's type of list for a client's: bundles are direct lists there.
pub(crate) fn runtime_type(list_type: u32) -> Result<heapstone::spec::commands::CommandListType, Unknown> {
    convert::list_type(if list_type == BUNDLE { 0 } else { list_type })
}

/// The library tells bundles and direct lists not apart.
fn check_bundle(list_type: u32, allocator: &Object<CommandAllocator>) -> Result<(), Failure> {
    if (list_type == BUNDLE) == (allocator.list_type == BUNDLE) {
        return Ok(());
    }
    Err(Failure::Argument("pCommandAllocator is of another type than the list"))
}

/// Records a command. D3D12's recording calls answer nothing: a refused command is reported, and Close answers it.
fn record(
    this: &Object<GraphicsCommandList>,
    command: &'static str,
    call: impl FnOnce(&mut heapstone::CommandList) -> Result<(), Failure>,
) {
    let Some(mut list) = this.runtime.try_lock() else {
        return two_threads(this, command);
    };
    if let Err(failure) = call(&mut list) {
        refused(this, &mut list, command, &failure);
    }
}

#[cold]
fn refused(
    this: &Object<GraphicsCommandList>,
    list: &mut heapstone::CommandList,
    command: &'static str,
    failure: &Failure,
) {
    if !matches!(failure, Failure::Error(_)) {
        // What the library never saw, its list must know: Close fails.
        let _ = list.refuse(command, &failure.to_string());
    }
    let _ = this.device().fail(failure);
}

#[cold]
fn two_threads(this: &Object<GraphicsCommandList>, command: &str) {
    let text = format!("{command}: another thread is using the list; the call has no effect");
    this.device().say(Category::Execution, Severity::Error, message::COMMAND_LIST_SYNC.number, text);
}

/// A command that would run a shader: recorded without effect.
fn inert(this: &Object<GraphicsCommandList>, command: &'static str) {
    record(this, command, |list| {
        if !list.is_open() {
            list.refuse(command, "a list that is not open")?;
        }
        Ok(())
    });
    this.device().report_once(command, "is recorded without effect: nothing here runs shaders");
}

/// Calls with the lists of a submission, each of which is used by nobody else meanwhile.
///
/// # Errors
/// A bundle, a list that another thread is using; and those of `call`.
pub(crate) fn with_all(
    objects: &[&Object<GraphicsCommandList>],
    call: impl FnOnce(&[&heapstone::CommandList]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut guards = Vec::with_capacity(objects.len());
    // The guard of each list: one that stands twice is locked once.
    let mut order = Vec::with_capacity(objects.len());
    for (index, object) in objects.iter().enumerate() {
        if object.list_type == BUNDLE {
            return Err(Failure::Argument("ppCommandLists holds a bundle"));
        }
        if let Some(before) = objects[..index].iter().position(|other| core::ptr::eq(*other, *object)) {
            order.push(order[before]);
            continue;
        }
        let Some(guard) = object.runtime.try_lock() else {
            two_threads(object, "ExecuteCommandLists");
            return Err(E_FAIL.into());
        };
        order.push(guards.len());
        guards.push(guard);
    }
    let lists: Vec<&heapstone::CommandList> = order.iter().map(|index: &usize| &*guards[*index]).collect();
    call(&lists)?;
    for object in objects {
        if let Some(live) = object.device().live_objects() {
            live.states.lock().execute(&object.states.lock(), object.list_type);
        }
    }
    Ok(())
}
