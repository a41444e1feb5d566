//! What a heap costs beyond its place in the kernel, and what a copy costs beside a plain one.
//!
//! `create+destroy` is the driver's part alone: the allocation is made once. The rival of `read` and
//! `write` is `copy_from_slice` between two vectors, which is what a program without sharing would do.
#![allow(clippy::unwrap_used, reason = "a failure here stops the benchmark")]

#[path = "../tests/common/mod.rs"]
mod common;

use core::hint::black_box;

use common::{Adapter, desc};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use heapstone_driver::{Backing, Driver};
use heapstone_driver_soft::{PagingBytes, SoftDriverOptions};
use heapstone_kernel::PageSize;
use heapstone_spec::HeapFlags;

const NO_POISON: SoftDriverOptions = SoftDriverOptions { poison: false, paging_bytes: PagingBytes::InPlace };
const GIB: u64 = 1 << 30;

fn create_and_destroy(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("create+destroy");
    for (name, size) in [("64 KiB", 64 << 10), ("64 MiB", 64 << 20)] {
        for (backing, touched) in [
            (Backing::Phantom, false),
            (Backing::Host, false),
            (Backing::Host, true),
            (Backing::Shared, false),
        ] {
            let adapter = Adapter::new(backing, 8 * GIB, NO_POISON);
            let allocation = adapter.allocate(size, PageSize::SixtyFourKib);
            let how = if touched { "one page touched" } else { "untouched" };
            group.bench_function(BenchmarkId::new(format!("{backing:?} {how}"), name), |bencher| {
                bencher.iter(|| {
                    let heap = desc(&allocation, size, HeapFlags::empty());
                    let made = adapter.driver.create_heap_and_resource(Some(black_box(heap)), None).unwrap();
                    if touched {
                        made.heap.as_ref().unwrap().write(0, &[1]).unwrap();
                    }
                    adapter.driver.destroy_heap_and_resource(made.heap, made.resource);
                });
            });
        }
    }
    group.finish();
}

/// What a heap costs with its place in the kernel.
fn with_the_kernel(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("allocate+create+destroy+free");
    for (name, size) in [("64 KiB", 64 << 10), ("64 MiB", 64 << 20)] {
        for backing in [Backing::Phantom, Backing::Host] {
            let adapter = Adapter::new(backing, 8 * GIB, NO_POISON);
            group.bench_function(BenchmarkId::new(format!("{backing:?}"), name), |bencher| {
                bencher.iter(|| adapter.destroy(adapter.create(size, HeapFlags::empty()).unwrap()));
            });
        }
    }
    group.finish();
}

fn copies(criterion: &mut Criterion) {
    let adapter = Adapter::new(Backing::Host, 8 * GIB, NO_POISON);
    for (name, size) in
        [("16 B", 16), ("256 B", 256), ("4 KiB", 4 << 10), ("64 KiB", 64 << 10), ("16 MiB", 16 << 20)]
    {
        let size_in_u64 = u64::try_from(size).unwrap();
        let heap = adapter.create(size_in_u64, HeapFlags::empty()).unwrap();
        let (from, mut to) = (vec![1; size], vec![2; size]);
        heap.bytes.write(0, &from).unwrap();
        let mut group = criterion.benchmark_group(format!("copy {name}"));
        group.throughput(Throughput::Bytes(size_in_u64));
        group.bench_function("memcpy (rival)", |bencher| {
            bencher.iter(|| black_box(&mut to).copy_from_slice(black_box(&from)));
        });
        group.bench_function("read", |bencher| {
            bencher.iter(|| heap.bytes.read(0, black_box(&mut to)).unwrap());
        });
        group.bench_function("write", |bencher| {
            bencher.iter(|| heap.bytes.write(0, black_box(&from)).unwrap());
        });
        group.finish();
        adapter.destroy(heap);
    }
}

fn map(criterion: &mut Criterion) {
    let adapter = Adapter::new(Backing::Host, GIB, NO_POISON);
    let heap = adapter.create(64 << 10, HeapFlags::empty()).unwrap();
    criterion.bench_function("map+unmap", |bencher| {
        bencher.iter(|| {
            black_box(heap.bytes.map().unwrap());
            heap.bytes.unmap();
        });
    });
}

criterion_group!(benches, create_and_destroy, with_the_kernel, copies, map);
criterion_main!(benches);
