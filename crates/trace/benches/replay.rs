//! Replay of a generated trace of one million calls, from memory, on phantom backing; parsing and
//! accounting included. Rivals in the same run: parsing alone, and replay of calls that are parsed
//! already.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use heapstone::{Backing, Device, Profile, SdkVersion};
use heapstone_driver_soft::SoftDriverFactory;
use heapstone_trace::{
    GenerateOptions, Record, ReplayOptions, ReplayPlan, Replayer, TraceReader, TraceWriter, generate,
    read_trace, replay, tight_device,
};

const CALLS: u64 = 1_000_000;
const LIVE: usize = 10_000;

fn profile() -> Profile {
    Profile::builtin("discrete-8g").expect("a built-in profile")
}

fn device() -> Device {
    Device::builder()
        .profile(profile())
        .driver(&SoftDriverFactory::default())
        .backing(Backing::Phantom)
        .sdk(SdkVersion::LATEST)
        .build()
        .expect("the profile is legal")
}

fn text() -> Vec<u8> {
    let (header, calls) = generate(GenerateOptions { seed: 1, calls: CALLS, live: LIVE });
    let mut writer = TraceWriter::new(Vec::new(), &header).expect("memory takes it");
    for record in calls {
        writer.write(&record).expect("memory takes it");
    }
    writer.into_inner().expect("memory takes it")
}

fn benches(criterion: &mut Criterion) {
    let text = text();
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(CALLS)).sample_size(10);
    group.bench_function("parse only", |bench| {
        bench.iter(|| {
            let reader = TraceReader::new(&text[..], "generated").expect("our own header");
            let mut count = 0_u64;
            for record in reader {
                black_box(record.expect("our own line"));
                count += 1;
            }
            assert_eq!(count, CALLS);
        });
    });
    group.bench_function("parse and replay", |bench| {
        bench.iter_batched(
            || (read_trace(&text[..], "generated").expect("our own trace"), device()),
            |(trace, device)| {
                let plan = ReplayPlan {
                    device,
                    options: ReplayOptions::default(),
                    tight: None,
                    keeps_memory_log: false,
                };
                let report = replay(trace, plan, |_| {}).expect("our own trace");
                assert_eq!((report.calls.total, report.refused_count()), (CALLS, 0));
                report
            },
            BatchSize::PerIteration,
        );
    });
    group.bench_function("parse, replay and compare with tight alignment", |bench| {
        bench.iter_batched(
            || {
                let driver = SoftDriverFactory::default();
                let tight = tight_device(&profile(), SdkVersion::LATEST, &driver, Backing::Phantom);
                let trace = read_trace(&text[..], "generated").expect("our own trace");
                (trace, device(), tight.expect("the profile is legal"))
            },
            |(trace, device, tight)| {
                let plan = ReplayPlan {
                    device,
                    options: ReplayOptions::default(),
                    tight: Some(tight),
                    keeps_memory_log: false,
                };
                let report = replay(trace, plan, |_| {}).expect("our own trace");
                assert_eq!(report.calls.total, CALLS);
                report
            },
            BatchSize::PerIteration,
        );
    });
    let records: Vec<Record> = TraceReader::new(&text[..], "generated")
        .expect("our own header")
        .map(|r| r.expect("our own line"))
        .collect();
    group.bench_function("replay only", |bench| {
        bench.iter_batched(
            device,
            |device| {
                let mut replayer = Replayer::new(device, ReplayOptions::default());
                assert!(replayer.steps(&records).is_continue());
                replayer.finish()
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(replay_benches, benches);
criterion_main!(replay_benches);
