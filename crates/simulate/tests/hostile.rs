//! Workloads that make no sense are errors that say what is wrong.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_kernel::AdapterMemory;
use heapstone_kernel::residency::policy::PolicyKind;
use heapstone_simulate::workload::{Frame, WorkObject, Workload, WorldEvent};
use heapstone_simulate::{RunDesc, RunError, run};
use heapstone_units::GIB;

const OBJECT: WorkObject = WorkObject { bytes: 65_536, is_loaded: true };

fn refused(objects: Vec<WorkObject>, frames: Vec<Frame>) -> RunError {
    let workload = Workload { name: "by hand".to_owned(), objects, frames };
    let memory = AdapterMemory::discrete(&[GIB], GIB, 40);
    run(&workload, &RunDesc { memory, policy: PolicyKind::Lru, budget: GIB / 2, faults: None }).unwrap_err()
}

fn frame(uses: &[u32]) -> Frame {
    Frame { uses: uses.to_vec(), ..Frame::default() }
}

#[test]
fn objects_that_are_not_there_are_named() {
    let error = refused(vec![OBJECT], vec![frame(&[0]), frame(&[0, 1])]);
    assert!(matches!(error, RunError::Object { frame: 1, object: 1 }), "{error}");
    assert_eq!(error.to_string(), "frame 1 of the workload names object 1, which is not there, or no more");
    let error = refused(Vec::new(), vec![frame(&[u32::MAX])]);
    assert!(matches!(error, RunError::Object { frame: 0, object: u32::MAX }), "{error}");
    let written = Frame { writes: Some(vec![7]), ..frame(&[0]) };
    assert!(matches!(refused(vec![OBJECT], vec![written]), RunError::Object { frame: 0, object: 7 }));
}

#[test]
fn what_is_destroyed_is_no_longer_there() {
    let destroys = |uses: &[u32]| Frame { events: vec![WorldEvent::Destroy(0)], ..frame(uses) };
    for frames in [vec![destroys(&[0])], vec![destroys(&[]), destroys(&[])], vec![destroys(&[]), frame(&[0])]]
    {
        assert!(matches!(refused(vec![OBJECT], frames), RunError::Object { object: 0, .. }));
    }
}

#[test]
fn sums_of_workloads_saturate_and_leave_out_what_is_not_there() {
    let objects = vec![WorkObject { bytes: u64::MAX, ..OBJECT }, OBJECT];
    let workload = Workload { name: String::new(), objects, frames: vec![frame(&[0, 1, 9]), frame(&[1])] };
    assert_eq!((workload.footprint(), workload.working_set_max()), (u64::MAX, u64::MAX));
    let nothing = Workload { name: String::new(), objects: Vec::new(), frames: vec![frame(&[3])] };
    assert_eq!((nothing.footprint(), nothing.working_set_max()), (0, 0));
}
