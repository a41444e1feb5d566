//! What programs complained of, with their numbers.
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

use heapstone_samplers::{
    GroupId, HeapFull, IndexRange, Sampler, SamplerWrite, Samplers, SamplersDesc, SamplersError, UsePoint,
};
use heapstone_spec::views::{Filter, SamplerDesc};

const LINEAR: SamplerDesc = SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR);
const POINT: SamplerDesc = SamplerDesc::new(Filter::MIN_MAG_MIP_POINT);

/// Samplers that differ in their bias: of 16384 numbers, all within the limits and exact in a float.
fn distinct(number: u16) -> SamplerDesc {
    SamplerDesc { mip_lod_bias: f32::from(number) / 2048.0, ..LINEAR }
}

fn samplers(heap_samplers: u32, heaps_max: u32) -> Samplers {
    Samplers::new(SamplersDesc { heap_samplers, heaps_max, ..SamplersDesc::default() }).unwrap()
}

fn writes(samplers: &mut Samplers) -> Vec<SamplerWrite> {
    let mut writes = Vec::new();
    samplers.take_sampler_writes(|write| writes.push(write));
    writes
}

fn at(value: u64) -> UsePoint {
    UsePoint { queue: 0, value }
}

/// spec/4-sampler-heap.txt: every live bind group took slots of its own.
#[test]
fn as_many_groups_of_one_sampler_as_there_are_slots_and_one_take_one_slot() {
    let mut samplers = samplers(2048, 1);
    let groups: Vec<GroupId> = (0..2049)
        .map(|_| {
            // Each makes its own.
            let sampler = samplers.create_sampler(&LINEAR).unwrap();
            let group = samplers.create_group(&[&sampler]).unwrap();
            samplers.destroy_sampler(sampler, &[]).unwrap();
            group
        })
        .collect();
    assert_eq!(samplers.statistics().held, 1);
    assert_eq!(writes(&mut samplers), [SamplerWrite { heap: 0, slot: 0, desc: LINEAR }]);
    assert!(groups.iter().all(|group| samplers.group(*group).unwrap().indices == [0]));
}

#[test]
fn pairs_of_two_take_two_slots() {
    let mut samplers = samplers(2048, 1);
    let (linear, point) =
        (samplers.create_sampler(&LINEAR).unwrap(), samplers.create_sampler(&POINT).unwrap());
    let groups: Vec<GroupId> =
        (0..1025).map(|_| samplers.create_group(&[&point, &linear]).unwrap()).collect();
    assert_eq!(samplers.statistics().held, 2);
    assert!(groups.iter().all(|group| samplers.group(*group).unwrap().indices == [1, 0]));
    let mut elements = 0;
    samplers.take_index_writes(|range, indices| {
        assert_eq!(usize::try_from(range.count).unwrap(), indices.len());
        assert!(indices.chunks(2).all(|pair| pair == [1, 0]));
        elements += range.count;
    });
    assert_eq!(elements, 2050);
}

/// 2047 of 2048 slots, and 13 more.
fn nearly_full(heaps_max: u32) -> (Samplers, Vec<Sampler>, Vec<SamplerDesc>) {
    let mut samplers = samplers(2048, heaps_max);
    let held: Vec<Sampler> =
        (0..2047).map(|number| samplers.create_sampler(&distinct(number)).unwrap()).collect();
    assert_eq!(writes(&mut samplers).len(), 2047);
    (samplers, held, (5000..5013).map(distinct).collect())
}

#[test]
fn a_batch_that_does_not_fit_is_refused_as_a_whole() {
    let (mut samplers, _held, batch) = nearly_full(1);
    let full = HeapFull { wanted: 13, new: 13, free: 1, held: 2047, waiting: 0, capacity: 2048 };
    let refused = samplers.create_samplers(&batch).unwrap_err();
    assert_eq!(refused, SamplersError::Full { full, heaps: 1, heaps_max: 1 });
    assert_eq!(
        refused.to_string(),
        "samplers.full: 13 samplers take 13 new slots; allowed: 1, the free ones of a heap of 2048 (2047 are held, 0 wait \
         for the GPU), one of 1 heaps; at most 1 heaps"
    );
    assert_eq!(writes(&mut samplers), []);
    assert_eq!(samplers.statistics().held, 2047);
    // Twelve of them are there already: one slot is enough, also for one that is wanted twice.
    let mut mostly_there: Vec<SamplerDesc> = (0..12).map(distinct).collect();
    mostly_there.extend([distinct(5000), distinct(5000)]);
    assert_eq!(samplers.create_samplers(&mostly_there).unwrap().len(), 14);
    assert_eq!(writes(&mut samplers).len(), 1);
    assert_eq!(samplers.statistics().held, 2048);
}

#[test]
fn a_batch_is_rolled_over_where_a_second_heap_is_allowed() {
    let (mut samplers, held, batch) = nearly_full(2);
    let rolled = samplers.create_samplers(&batch).unwrap();
    assert!(rolled.iter().zip(0..).all(|(sampler, slot)| sampler.place() == (1, slot)));
    let written: Vec<_> = writes(&mut samplers).iter().map(|write| (write.heap, write.slot)).collect();
    assert_eq!(written, (0..13).map(|slot| (1, slot)).collect::<Vec<_>>(), "heap 0 is left alone");
    // Heap 0 has one slot left: both are brought together there, whichever comes first.
    let group = samplers.create_group(&[&rolled[0], &held[7]]).unwrap();
    assert_eq!(samplers.group(group).unwrap().heap, 1, "the first one's heap has room");
    // Two more from heap 1 do not fit into heap 0.
    let group = samplers.create_group(&[&held[7], &rolled[1], &rolled[2]]).unwrap();
    let view = samplers.group(group).unwrap();
    assert_eq!((view.heap, view.indices), (1, &[13, 1, 2][..]));
    assert_eq!(writes(&mut samplers), [SamplerWrite { heap: 1, slot: 13, desc: distinct(7) }]);
    assert_eq!(samplers.statistics().heaps, 2);
}

#[test]
fn a_batch_that_fits_no_heap_leaves_none_behind() {
    let mut samplers = samplers(8, 3);
    let batch: Vec<SamplerDesc> = (0..9).map(distinct).collect();
    let refused = samplers.create_samplers(&batch).unwrap_err();
    let full = HeapFull { wanted: 9, new: 9, free: 8, held: 0, waiting: 0, capacity: 8 };
    assert_eq!(refused, SamplersError::Full { full, heaps: 1, heaps_max: 3 });
    assert_eq!((samplers.statistics().heaps, writes(&mut samplers).len()), (1, 0));
}

/// spec/4-sampler-heap.txt: "we are updating descriptors that are not actively used by the gpu".
#[test]
fn a_freed_slot_is_not_used_again_while_a_list_in_flight_uses_it() {
    let mut samplers = samplers(2, 1);
    let (linear, point) =
        (samplers.create_sampler(&LINEAR).unwrap(), samplers.create_sampler(&POINT).unwrap());
    let group = samplers.create_group(&[&linear, &point]).unwrap();
    writes(&mut samplers);
    samplers.mark_used(group, at(1)).unwrap();
    samplers.mark_used(group, UsePoint { queue: 1, value: 4 }).unwrap();
    samplers.destroy_group(group, &[]).unwrap();
    samplers.destroy_sampler(linear, &[]).unwrap();
    let refused = samplers.create_sampler(&distinct(9)).unwrap_err();
    let full = HeapFull { wanted: 1, new: 1, free: 0, held: 1, waiting: 1, capacity: 2 };
    assert_eq!(refused, SamplersError::Full { full, heaps: 1, heaps_max: 1 });
    // The same sampler comes back without a write, and nothing else may have its slot.
    let again = samplers.create_sampler(&LINEAR).unwrap();
    assert_eq!((again.place(), writes(&mut samplers)), ((0, 0), vec![]));
    samplers.destroy_sampler(again, &[]).unwrap();
    samplers.complete(at(1)).unwrap();
    assert!(samplers.create_sampler(&distinct(9)).is_err(), "the other queue reads it still");
    samplers.complete(UsePoint { queue: 1, value: 4 }).unwrap();
    let other = samplers.create_sampler(&distinct(9)).unwrap();
    assert_eq!(other.place(), (0, 0));
    assert_eq!(writes(&mut samplers), [SamplerWrite { heap: 0, slot: 0, desc: distinct(9) }]);
    samplers.destroy_sampler(other, &[]).unwrap();
    samplers.destroy_sampler(point, &[]).unwrap();
}

/// So do indices: they are memory that the GPU reads.
#[test]
fn freed_indices_are_not_written_while_a_list_in_flight_reads_them() {
    let desc = SamplersDesc { buffer_indices: 4, ..SamplersDesc::default() };
    let mut samplers = Samplers::new(desc).unwrap();
    let (linear, point) =
        (samplers.create_sampler(&LINEAR).unwrap(), samplers.create_sampler(&POINT).unwrap());
    let pairs = [[&linear, &point], [&point, &linear]];
    let groups = pairs.map(|pair| samplers.create_group(&pair).unwrap());
    let range = |samplers: &Samplers, group| samplers.group(group).unwrap().range;
    assert_eq!(range(&samplers, groups[0]), IndexRange { buffer: 0, first: 0, count: 2 });
    assert_eq!(range(&samplers, groups[1]), IndexRange { buffer: 0, first: 2, count: 2 });
    samplers.mark_used(groups[0], at(7)).unwrap();
    for group in groups {
        samplers.destroy_group(group, &[]).unwrap();
    }
    let next = samplers.create_group(&pairs[0]).unwrap();
    assert_eq!(range(&samplers, next).first, 2, "nobody read that one");
    let next = samplers.create_group(&pairs[0]).unwrap();
    assert_eq!(range(&samplers, next).buffer, 1);
    samplers.complete(at(7)).unwrap();
    let mut rest = [0; 2].map(|_| samplers.create_group(&pairs[0]).unwrap()).map(|next| {
        let range = range(&samplers, next);
        (range.buffer, range.first, range.count)
    });
    rest.sort_unstable();
    assert_eq!(rest, [(0, 0, 2), (1, 2, 2)]);
    assert_eq!(samplers.statistics().buffers, 2);
}

#[test]
fn wrong_calls_are_refused_and_change_nothing() {
    let mut samplers = samplers(4, 1);
    let mut others = self::samplers(4, 1);
    let linear = samplers.create_sampler(&LINEAR).unwrap();
    let foreign = others.create_sampler(&POINT).unwrap();
    assert_eq!(samplers.create_group(&[]), Err(SamplersError::EmptyGroup));
    assert_eq!(samplers.create_group(&[&linear, &foreign]), Err(SamplersError::UnknownSampler));
    let (foreign, error) = samplers.destroy_sampler(foreign, &[]).unwrap_err();
    assert_eq!(error, SamplersError::UnknownSampler);
    others.destroy_sampler(foreign, &[]).unwrap();
    let many = vec![&linear; 70_000];
    let refused = samplers.create_group(&many);
    assert_eq!(refused, Err(SamplersError::GroupTooLarge { given: 70_000, allowed: 65_536 }));
    let group = samplers.create_group(&[&linear]).unwrap();
    assert!(samplers.mark_used(group, UsePoint { queue: 4, value: 1 }).is_err());
    assert!(samplers.destroy_group(group, &[UsePoint { queue: 4, value: 1 }]).is_err());
    assert!(samplers.complete(UsePoint { queue: 4, value: 1 }).is_err());
    assert_eq!(samplers.statistics().groups, 1);
    samplers.destroy_group(group, &[]).unwrap();
    let gone = Err(SamplersError::UnknownGroup(group));
    assert_eq!(samplers.destroy_group(group, &[]), gone);
    assert_eq!(samplers.mark_used(group, at(1)), gone);
    let next = samplers.create_group(&[&linear]).unwrap();
    assert!(samplers.group(group).is_err() && samplers.group(next).is_ok(), "its place is another's");
    let refused = samplers.create_sampler(&SamplerDesc { min_lod: f32::NAN, ..LINEAR }).unwrap_err();
    assert!(refused.to_string().starts_with("sampler.lod: MaxLOD is"), "{refused}");
    let refused = samplers.create_samplers(&[POINT, SamplerDesc { mip_lod_bias: 16.0, ..LINEAR }]);
    let text = refused.unwrap_err().to_string();
    assert_eq!(text, "sampler.lod_bias: MipLODBias is 16; allowed: -16 to 15.99");
    assert_eq!(samplers.statistics().held, 1);
    for desc in [
        SamplersDesc { heaps_max: 0, ..SamplersDesc::default() },
        SamplersDesc { heap_samplers: u32::MAX, ..SamplersDesc::default() },
        SamplersDesc { buffer_indices: 0, ..SamplersDesc::default() },
    ] {
        assert!(matches!(Samplers::new(desc), Err(SamplersError::Desc { .. })), "{desc:?}");
    }
}
