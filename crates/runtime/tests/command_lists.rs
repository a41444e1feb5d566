//! Allocators and lists: open, closed, reset, failed; what a list is compiled to; what observers hear.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;
#[path = "common/recording.rs"]
mod recording;

use std::sync::{Arc, Mutex};

use common::*;
use heapstone::spec::commands::{CommandListType, QueryHeapDesc, QueryHeapType, QueryType};
use heapstone::spec::rules::{command as rules, copy};
use heapstone::{
    Backing, Call, CommandList, CommandQueueDesc, Device, Error, GpuMode, HeapType, ListCommand, ObjectId,
    Observer, ResourceBarrier, ResourceStates,
};
use heapstone_driver::dma::{Address, Command};
use heapstone_driver_soft::SoftDriverFactory;
use recording::*;

const DIRECT: CommandListType = CommandListType::Direct;

fn recording() -> Recording {
    Recording::on(device("discrete-8g"))
}

#[test]
fn a_copy_is_one_command_of_the_engine() {
    let recording = recording();
    let to = recording.buffer(HeapType::Default, 1000);
    let from = recording.buffer(HeapType::Upload, 500);
    let buffer = recording.compiled(|list| {
        list.copy_buffer_region(&to, 100, &from, 20, 480)?;
        list.copy_buffer_region(&to, 0, &to, 100, 100)
    });
    let [to_address, from_address] = [&to, &from].map(heapstone::Resource::gpu_virtual_address);
    let at = |allocation, address: heapstone::GpuVirtualAddress, offset| Address {
        allocation,
        at: heapstone::GpuVirtualAddress(address.0 + offset),
    };
    assert_eq!(
        commands_of(&buffer),
        [
            Command::CopyBuffer {
                destination: at(0, to_address, 100),
                source: at(1, from_address, 20),
                size: 480
            },
            Command::CopyBuffer {
                destination: at(0, to_address, 0),
                source: at(0, to_address, 100),
                size: 100
            },
        ]
    );
    assert_eq!(buffer.command_count(), 2);
    let allocations: Vec<_> =
        buffer.allocations().iter().map(|entry| (entry.address, entry.size, entry.is_written)).collect();
    assert_eq!(
        allocations,
        [(to_address, to.size(), true), (from_address, from.size(), false)],
        "each resource once"
    );
}

#[test]
fn a_call_counts_once_however_many_commands_it_takes() {
    let recording = recording();
    let texture = recording.default(rgba8(64, 64).with_mip_levels(7));
    let other = recording.default(rgba8(64, 64).with_mip_levels(7));
    let buffer = recording.compiled(|list| list.copy_resource(&texture, &other));
    assert_eq!((commands_of(&buffer).len(), buffer.command_count()), (7, 1));
}

#[test]
fn a_thousand_resources_stand_once_each() {
    let recording = recording();
    let buffers: Vec<_> = (0..1000).map(|_| recording.buffer(HeapType::Default, 256)).collect();
    let buffer = recording.compiled(|list| {
        for round in 0..3 {
            for (at, to) in buffers.iter().enumerate() {
                list.copy_buffer_region(to, 0, &buffers[(at + 1 + round) % 1000], 128, 64)?;
            }
        }
        Ok(())
    });
    assert_eq!(buffer.allocations().len(), 1000);
    for (at, command) in commands_of(&buffer).iter().enumerate() {
        let Command::CopyBuffer { destination, source, .. } = *command else { panic!("{command:?}") };
        let to = &buffers[at % 1000];
        let from = &buffers[(at % 1000 + 1 + at / 1000) % 1000];
        assert_eq!(destination.at, to.gpu_virtual_address());
        assert_eq!(source.at.0, from.gpu_virtual_address().0 + 128);
        let entry = |address: Address| &buffer.allocations()[address.allocation as usize];
        assert_eq!(entry(destination).address, to.gpu_virtual_address());
        assert_eq!(entry(source).address, from.gpu_virtual_address());
    }
}

/// A list keeps nothing alive, and what takes a dead resource's place in memory is another one.
#[test]
fn a_list_keeps_nothing_alive() {
    let recording = recording();
    let mut list = recording.list(DIRECT);
    let to = recording.buffer(HeapType::Default, 65_536);
    let (_, before, _) = footprint(&recording.device);
    for _ in 0..100 {
        let from = recording.buffer(HeapType::Upload, 65_536);
        list.copy_buffer_region(&to, 0, &from, 0, 4).unwrap();
    }
    assert_eq!(footprint(&recording.device).1, before, "the sources are gone");
    list.close().unwrap();
    assert_eq!(list.dma_buffer().unwrap().allocations().len(), 101);
}

#[test]
fn lists_and_allocators_follow_each_other() {
    let recording = recording();
    let device = &recording.device;
    let allocator = recording.allocator(DIRECT);
    let mut list = device.create_command_list(DIRECT, &allocator).unwrap();
    assert!(list.is_open() && list.list_type() == DIRECT && list.device() == *device);

    // facts/behaviour.md: one recording list per allocator, and none while it is reset.
    refused(device.create_command_list(DIRECT, &allocator), &rules::ALLOCATOR_RECORDING);
    let mut other = device.create_closed_command_list(DIRECT).unwrap();
    refused(other.reset(&allocator), &rules::ALLOCATOR_RECORDING);
    refused(allocator.reset(), &rules::ALLOCATOR_RESET_RECORDING);
    refused(list.reset(&recording.allocator(DIRECT)), &rules::LIST_OPEN);

    list.close().unwrap();
    refused(list.close(), &rules::LIST_CLOSED);
    let buffer = recording.buffer(HeapType::Default, 64);
    refused(list.copy_buffer_region(&buffer, 0, &buffer, 32, 8), &rules::LIST_CLOSED);
    assert!(list.dma_buffer().is_some(), "a refused call leaves a closed list as it is");

    other.reset(&allocator).unwrap();
    assert!(other.dma_buffer().is_none());
    drop(other);
    allocator.reset().unwrap();
    list.reset(&allocator).unwrap();
    drop(list);
    allocator.reset().unwrap();
}

#[test]
fn types_and_devices_do_not_mix() {
    let recording = recording();
    let device = &recording.device;
    for list_type in CommandListType::ALL {
        for allocator_type in CommandListType::ALL {
            let allocator = recording.allocator(*allocator_type);
            assert_eq!(allocator.list_type(), *allocator_type);
            let made = device.create_command_list(*list_type, &allocator);
            if list_type == allocator_type {
                made.unwrap();
            } else {
                let violation = refused(made, &rules::LIST_ALLOCATOR_TYPE);
                says(&violation, "pCommandAllocator", &[allocator_type.name()], &[list_type.name()]);
            }
        }
    }
    let stranger = common::device("discrete-8g");
    let foreign = stranger.create_command_allocator(DIRECT).unwrap();
    refused(device.create_command_list(DIRECT, &foreign), &rules::LIST_DEVICE);
    let theirs = Recording::on(stranger).buffer(HeapType::Default, 64);
    let ours = recording.buffer(HeapType::Default, 64);
    for (to, from) in [(&ours, &theirs), (&theirs, &ours)] {
        recording.refuses(&rules::LIST_DEVICE, "another device", "the list's device", |list| {
            list.copy_buffer_region(to, 0, from, 0, 8)
        });
    }
}

#[test]
fn a_failed_list_answers_its_first_violation_and_is_good_for_a_reset() {
    let recording = recording();
    let allocator = recording.allocator(DIRECT);
    let mut list = recording.device.create_command_list(DIRECT, &allocator).unwrap();
    let buffer = recording.buffer(HeapType::Default, 64);
    let upload = recording.buffer(HeapType::Upload, 64);
    list.copy_buffer_region(&buffer, 0, &upload, 0, 64).unwrap();
    let first = refused(list.copy_buffer_region(&buffer, 60, &upload, 0, 8), &copy::BUFFER_DESTINATION_RANGE);
    refused(list.copy_buffer_region(&buffer, 0, &upload, 60, 8), &copy::BUFFER_SOURCE_RANGE);
    list.copy_buffer_region(&buffer, 0, &upload, 0, 64).unwrap();
    assert_eq!(list.close().unwrap_err().violation(), Some(&first));
    refused(list.close(), &rules::LIST_CLOSED);
    allocator.reset().unwrap();
    list.reset(&allocator).unwrap();
    list.copy_buffer_region(&buffer, 0, &upload, 0, 64).unwrap();
    list.close().unwrap();
    assert_eq!(commands_of(list.dma_buffer().unwrap()).len(), 1);
}

/// The memory of a stream comes back: a list that is recorded again and again has the same words each time, and
/// nothing of the time before.
#[test]
fn recordings_leave_nothing_to_the_next() {
    let recording = recording();
    let allocators = [recording.allocator(DIRECT), recording.allocator(DIRECT)];
    let mut list = recording.device.create_closed_command_list(DIRECT).unwrap();
    let buffers: Vec<_> = (0..40).map(|_| recording.buffer(HeapType::Default, 64)).collect();
    for round in 0..20_usize {
        allocators[round % 2].reset().unwrap();
        list.reset(&allocators[round % 2]).unwrap();
        for buffer in &buffers[..round + 1] {
            list.copy_buffer_region(buffer, 0, buffer, 32, 16).unwrap();
        }
        list.close().unwrap();
        let buffer = list.dma_buffer().unwrap();
        assert_eq!(buffer.allocations().len(), round + 1);
        assert_eq!(commands_of(buffer).len(), round + 1);
        assert_eq!(buffer.patch_locations().len(), 2 * (round + 1));
    }
}

#[test]
fn a_list_is_executed_while_its_allocator_is_not_reset() {
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .gpu_mode(GpuMode::Stepped)
        .build()
        .unwrap();
    let queue = device.create_command_queue(&CommandQueueDesc::new(DIRECT)).unwrap();
    let recording = Recording::on(device);
    let allocator = recording.allocator(DIRECT);
    let mut list = recording.device.create_command_list(DIRECT, &allocator).unwrap();
    list.close().unwrap();
    queue.execute_command_lists(&[&list]).unwrap();
    let violation = refused(allocator.reset(), &rules::ALLOCATOR_RESET_IN_FLIGHT);
    says(&violation, "Reset", &["1 executions"], &["0 in flight"]);
    // A list may be recorded anew while what it recorded is in flight, but not in place of it.
    list.reset(&allocator).unwrap();
    list.close().unwrap();
    queue.run_until_idle().unwrap();
    allocator.reset().unwrap();
    let violation = refused(queue.execute_command_lists(&[&list]), &rules::EXECUTE_ALLOCATOR_RESET);
    says(&violation, "ppCommandLists", &["1 times"], &["last reset"]);
}

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Log {
    fn take(&self) -> Vec<String> {
        core::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Observer for Log {
    fn observe(&self, call: &Call<'_>) {
        let end = |outcome: &heapstone::Outcome<'_>| match outcome {
            Ok(()) => "ok".to_owned(),
            Err(error) => error.violation().map_or("failed", |violation| violation.rule.id).to_owned(),
        };
        let line = match call {
            Call::CreateCommandAllocator { object, list_type, outcome } => {
                format!("allocator {object} {list_type}: {}", end(outcome))
            }
            Call::ResetCommandAllocator { object, outcome } => format!("reset {object}: {}", end(outcome)),
            Call::CreateCommandList { object, list_type, allocator, outcome } => {
                format!("list {object} {list_type} {allocator:?}: {}", end(outcome))
            }
            Call::CloseCommandList { object, outcome } => format!("close {object}: {}", end(outcome)),
            Call::ResetCommandList { object, allocator, outcome } => {
                format!("reset {object} {allocator}: {}", end(outcome))
            }
            Call::CreateQueryHeap { object, desc, outcome } => {
                format!("query heap {object} {}: {}", desc.count, end(outcome))
            }
            Call::Command { list, command, outcome } => match command {
                ListCommand::CopyBufferRegion {
                    destination,
                    destination_offset,
                    source,
                    source_offset,
                    size,
                } => {
                    format!(
                        "{list} copy {destination} {destination_offset} {source} {source_offset} {size}: {}",
                        end(outcome)
                    )
                }
                ListCommand::ResourceBarrier { barriers } => {
                    format!("{list} {} barriers: {}", barriers.len(), end(outcome))
                }
                ListCommand::EndQuery { heap, index, .. } => {
                    format!("{list} query {heap} {index}: {}", end(outcome))
                }
                _ => "another command".to_owned(),
            },
            Call::SetName { object, name } => format!("name {object} {name}"),
            Call::SetTag { object, tag } => format!("tag {object} {tag}"),
            Call::Destroy { object } => format!("destroy {object}"),
            _ => return,
        };
        self.0.lock().unwrap().push(line);
    }
}

#[test]
fn observers_hear_of_every_call() {
    let log = Arc::new(Log::default());
    let device = Device::builder()
        .profile(profile("discrete-8g"))
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .observer(Arc::<Log>::clone(&log))
        .build()
        .unwrap();
    let recording = Recording::on(device);
    let buffer = recording.buffer(HeapType::Default, 64);
    let allocator = recording.allocator(DIRECT);
    let mut list = recording.device.create_command_list(DIRECT, &allocator).unwrap();
    let refused_list = recording.device.create_command_list(CommandListType::Copy, &allocator);
    drop(refused_list.unwrap_err());
    assert_eq!(
        log.take(),
        [
            "allocator #2 DIRECT: ok",
            "list #3 DIRECT Some(ObjectId(2)): ok",
            "list #4 COPY Some(ObjectId(2)): list.allocator.type",
        ],
        "a list that was refused is not destroyed"
    );
    assert_eq!((buffer.id(), allocator.id(), list.id()), (ObjectId(1), ObjectId(2), ObjectId(3)));

    list.set_name("frame");
    list.set_tag("uploads");
    allocator.set_name("pool");
    assert_eq!(
        (list.name(), list.tag(), allocator.name()),
        ("frame".into(), "uploads".into(), "pool".into())
    );
    list.copy_buffer_region(&buffer, 0, &buffer, 32, 8).unwrap();
    list.copy_buffer_region(&buffer, 0, &buffer, 4, 8).unwrap_err();
    let states = [ResourceStates::COPY_DEST, ResourceStates::COPY_SOURCE];
    list.resource_barrier(&[ResourceBarrier::transition(&buffer, states[0], states[1])]).unwrap();
    let desc = QueryHeapDesc { heap_type: QueryHeapType::Timestamp, count: 2, node_mask: 0 };
    let queries = recording.device.create_query_heap(&desc).unwrap();
    list.end_query(&queries, QueryType::Timestamp, 1).unwrap();
    list.close().unwrap_err();
    allocator.reset().unwrap();
    list.reset(&allocator).unwrap();
    drop((list, queries, allocator));
    assert_eq!(
        log.take(),
        [
            "name #3 frame",
            "tag #3 uploads",
            "name #2 pool",
            "#3 copy #1 0 #1 32 8: ok",
            "#3 copy #1 0 #1 4 8: copy.buffer.overlap",
            "#3 1 barriers: ok",
            "query heap #5 2: ok",
            "#3 query #5 1: ok",
            "close #3: copy.buffer.overlap",
            "reset #2: ok",
            "reset #3 #2: ok",
            "destroy #3",
            "destroy #5",
            "destroy #2",
        ]
    );
}

/// Each rule of lists and allocators is broken by some call; what only execution breaks, above and in the
/// tests of queues.
#[test]
fn every_rule_of_lists_is_broken() {
    let recording = recording();
    let buffer = recording.buffer(HeapType::Default, 64);
    let copies = recording.list(CommandListType::Copy);
    recording.refuses_in(CommandListType::Copy, &rules::LIST_TYPE, "COPY", "DIRECT, COMPUTE", |list| {
        list.set_predication(Some((&buffer, 0)), heapstone::spec::commands::PredicationOp::EqualZero)
    });
    drop(copies);
    let (theirs, ours) = (common::device("software"), &recording);
    let foreign = Recording::on(theirs).buffer(HeapType::Default, 64);
    ours.refuses(&rules::LIST_DEVICE, "another device", "the list's device", |list| {
        list.resource_barrier(&[ResourceBarrier::uav(Some(&foreign))])
    });
    ours.refuses(
        &rules::LIST_ARGUMENT,
        "pResource is NULL",
        "objects and values that the command takes",
        |list| list.refuse("DiscardResource", "pResource is NULL"),
    );
    // Broken by the other tests of this file, and by those of clears.
    for rule in [
        &rules::DESCRIPTOR_HEAPS_VISIBLE,
        &rules::DESCRIPTOR_HEAPS_TYPE,
        &rules::ALLOCATOR_RECORDING,
        &rules::ALLOCATOR_RESET_RECORDING,
        &rules::ALLOCATOR_RESET_IN_FLIGHT,
        &rules::LIST_ALLOCATOR_TYPE,
        &rules::LIST_CLOSED,
        &rules::LIST_OPEN,
        &rules::EXECUTE_ALLOCATOR_RESET,
    ] {
        ours.broke(rule);
    }
    // Those of execution remove the device: tests of queues. A stream of 4 GiB is no test's.
    let elsewhere =
        [&rules::EXECUTE_OPEN, &rules::EXECUTE_FAILED, &rules::EXECUTE_UNRECORDED, &rules::LIST_FULL];
    ours.broke_all(rules::ALL, &elsewhere);
}

#[test]
fn lists_are_recorded_by_any_thread() {
    let recording = recording();
    let buffer = recording.buffer(HeapType::Default, 64);
    let lists: Vec<CommandList> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| -> Result<CommandList, Error> {
                    let allocator = recording.device.create_command_allocator(DIRECT)?;
                    let mut list = recording.device.create_command_list(DIRECT, &allocator)?;
                    for _ in 0..1000 {
                        list.copy_buffer_region(&buffer, 0, &buffer, 32, 32)?;
                    }
                    list.close()?;
                    Ok(list)
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap()).collect()
    });
    for list in &lists {
        assert_eq!(list.dma_buffer().unwrap().command_count(), 1000);
    }
}
