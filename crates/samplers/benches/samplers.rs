//! Samplers that hit the cache, bind groups, and what a million of them cost. `look-up` is the part that no
//! cache can do without: the description's bits, hashed and found.
#![allow(missing_docs, reason = "criterion's macros make functions")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use heapstone_samplers::{NormalizedSampler, Sampler, Samplers, SamplersDesc, UsePoint};
use heapstone_spec::views::{Filter, SamplerDesc};
use rustc_hash::FxHashMap;

fn distinct(number: u16) -> SamplerDesc {
    SamplerDesc { mip_lod_bias: f32::from(number) / 2048.0, ..SamplerDesc::new(Filter::MIN_MAG_MIP_LINEAR) }
}

fn with_samplers(count: u16) -> (Samplers, Vec<Sampler>) {
    let mut samplers = Samplers::new(SamplersDesc::default()).expect("legal");
    let held = (0..count).map(|number| samplers.create_sampler(&distinct(number)).expect("room")).collect();
    samplers.take_sampler_writes(|_| {});
    (samplers, held)
}

fn samplers(c: &mut Criterion) {
    let mut group = c.benchmark_group("sampler");
    group.bench_function("create and destroy, held by others", |b| {
        let (mut samplers, _held) = with_samplers(1000);
        let desc = distinct(500);
        b.iter(|| {
            let sampler = samplers.create_sampler(black_box(&desc)).expect("there");
            samplers.destroy_sampler(sampler, &[]).expect("alive");
        });
    });
    group.bench_function("create and destroy, held by nobody", |b| {
        let (mut samplers, held) = with_samplers(1000);
        held.into_iter().for_each(|sampler| samplers.destroy_sampler(sampler, &[]).expect("alive"));
        let desc = distinct(500);
        b.iter(|| {
            let sampler = samplers.create_sampler(black_box(&desc)).expect("there");
            samplers.destroy_sampler(sampler, &[]).expect("alive");
        });
    });
    group.bench_function("create and destroy, used by a list in flight", |b| {
        let (mut samplers, _held) = with_samplers(1000);
        let desc = distinct(1500);
        let mut value = 0;
        b.iter(|| {
            value += 1;
            let sampler = samplers.create_sampler(black_box(&desc)).expect("there");
            samplers.destroy_sampler(sampler, &[UsePoint { queue: 0, value }]).expect("alive");
        });
    });
    group.bench_function("look-up", |b| {
        let slots: FxHashMap<NormalizedSampler, u32> =
            (0..1000).map(|number| (NormalizedSampler::of(&distinct(number)), 0)).collect();
        let desc = distinct(500);
        b.iter(|| slots.get(&NormalizedSampler::of(black_box(&desc))).copied());
    });
    group.finish();
}

fn groups(c: &mut Criterion) {
    let mut group = c.benchmark_group("bind group");
    for count in [1, 4, 16, 64] {
        group.bench_function(format!("create and destroy, {count} samplers"), |b| {
            let (mut samplers, held) = with_samplers(1000);
            let bound: Vec<&Sampler> = held.iter().step_by(7).take(count).collect();
            let mut calls = 0_u32;
            b.iter(|| {
                let id = samplers.create_group(black_box(&bound)).expect("room");
                samplers.destroy_group(id, &[]).expect("alive");
                calls += 1;
                if calls.is_multiple_of(1024) {
                    samplers.take_index_writes(|_, indices| {
                        black_box(indices);
                    });
                }
            });
        });
    }
    group.bench_function("1024 frames of 16, each in flight for two", |b| {
        let (mut samplers, held) = with_samplers(1000);
        let bound: Vec<&Sampler> = held.iter().step_by(7).take(16).collect();
        let mut value = 0;
        b.iter_batched(
            || (),
            |()| {
                for _ in 0..1024 {
                    value += 1;
                    let point = UsePoint { queue: 0, value };
                    let id = samplers.create_group(&bound).expect("room");
                    samplers.mark_used(id, point).expect("alive");
                    samplers.destroy_group(id, &[]).expect("alive");
                    samplers.complete(UsePoint { value: value.saturating_sub(2), ..point }).expect("a queue");
                }
                samplers.take_index_writes(|_, indices| {
                    black_box(indices);
                });
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

/// Bytes that the process holds, by the kernel's count of pages.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// Not timed: what a million live groups of two samplers take beyond their 8 bytes of indices.
fn memory(_: &mut Criterion) {
    const GROUPS: u64 = 1_000_000;
    let (mut samplers, held) = with_samplers(1000);
    let before = resident();
    for number in 0..GROUPS {
        let at = usize::try_from(number % 999).expect("small");
        samplers.create_group(&[&held[at], &held[at + 1]]).expect("room");
        if number % 1000 == 0 {
            samplers.take_index_writes(|_, _| {});
        }
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        let each = after.saturating_sub(before).saturating_sub(8 * GROUPS) / GROUPS;
        println!("{GROUPS} live bind groups of 2: {each} bytes each beyond their indices");
    }
    assert_eq!(samplers.statistics().groups, GROUPS);
}

criterion_group!(benches, samplers, groups, memory);
criterion_main!(benches);
