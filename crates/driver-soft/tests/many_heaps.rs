//! More touched heaps than the system has ranges of open pages. A test of its own process, which has
//! none to spare meanwhile.
#![cfg(all(target_os = "linux", not(miri)))]
#![allow(clippy::unwrap_used, reason = "a failure here is a failure of the test")]

mod common;

use common::{Adapter, BOTH_OPTIONS, Heap};
use heapstone_driver::Backing;
use heapstone_kernel::PageSize;
use heapstone_spec::HeapFlags;

/// Linux gives a process 65,530 ranges unless told otherwise. Every second heap is touched, so that
/// poison makes two ranges of each.
const HEAPS: u64 = 70_000;

#[test]
fn poison_gives_way_to_many_heaps() {
    for options in BOTH_OPTIONS {
        let adapter = Adapter::new(Backing::Host, HEAPS * 4096 + (1 << 20), options);
        let heaps: Vec<Heap> = (0..HEAPS)
            .map(|_| {
                adapter
                    .create_at(adapter.allocate(4096, PageSize::FourKib), 4096, HeapFlags::empty())
                    .unwrap()
            })
            .collect();
        let tag = |index: usize| u64::try_from(index).unwrap().to_le_bytes();
        for (index, heap) in heaps.iter().enumerate().step_by(2) {
            heap.bytes.write(0, &tag(index)).unwrap();
        }
        for (index, heap) in heaps.iter().enumerate() {
            let want = if index % 2 == 0 { tag(index) } else { [0; 8] };
            assert_eq!(heap.read(0, 8), want, "heap {index} {options:?}");
        }
        heaps.into_iter().for_each(|heap| adapter.destroy(heap));
        let heap = adapter.create(HEAPS * 4096, HeapFlags::empty()).unwrap();
        heap.address();
        for index in 0..HEAPS {
            assert_eq!(heap.read(index * 4096, 8), [0; 8]);
        }
    }
}
