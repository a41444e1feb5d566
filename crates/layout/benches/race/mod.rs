//! Copies that take turns: what the benches of this folder and of the runtime time large copies with.

use std::hint::black_box;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// How often copies take turns.
const TURNS: usize = 25;

/// Times of copies that took turns.
pub(crate) struct Times(Vec<[Duration; TURNS]>);

/// Reads 64 MiB of other bytes, twice what a last-level cache of 32 MiB holds, so that a copy finds none there of what it
/// is to read.
fn drive_out() {
    static OTHERS: LazyLock<Vec<u64>> = LazyLock::new(|| vec![1; (64 << 20) / size_of::<u64>()]);
    black_box(OTHERS.iter().sum::<u64>());
}

/// Copies that take turns, each timed. Turn by turn, so that a slow moment meets all; and each from the same start. A copy
/// that is made once a turn is a large one, and finds nothing of it in the caches: what the copy before it left there
/// would depend on the order in which that went over the surface, and is worth a tenth of the speed (measured: the same
/// copy is so much faster after one in strips than after one from first byte to last). Of copies that are repeated the
/// first is not timed.
pub(crate) fn race(runners: &mut [(&str, &mut dyn FnMut(usize))], repeat: u32) -> Times {
    let mut times = vec![[Duration::ZERO; TURNS]; runners.len()];
    for turn in 0..TURNS {
        for ((_, run), times) in runners.iter_mut().zip(&mut times) {
            if repeat == 1 {
                drive_out();
            } else {
                run(turn);
            }
            let start = Instant::now();
            (0..repeat).for_each(|_| run(turn));
            times[turn] = start.elapsed() / repeat;
        }
    }
    Times(times)
}

impl Times {
    /// How many times as fast as `other` the runner `of` is: the median of the turns' ratios. The ratio of the best
    /// turns would be that of two different moments of the machine.
    pub(crate) fn speed(&self, of: usize, other: usize) -> f64 {
        let turns = self.0[other].iter().zip(&self.0[of]);
        median(turns.map(|(other, of)| other.as_secs_f64() / of.as_secs_f64()))
    }

    /// Of a runner that copies `size` bytes, in GB/s.
    pub(crate) fn rate(&self, of: usize, size: usize) -> f64 {
        let bytes = f64::from(u32::try_from(size).unwrap());
        median(self.0[of].iter().map(|time| bytes / time.as_secs_f64() / 1e9))
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Bytes that begin at a multiple of 64, as heaps and mapped files do: only whole lines go around the caches.
pub(crate) struct Lines(Vec<[u8; LINE]>);

/// Bytes of a line of memory.
pub(crate) const LINE: usize = 64;

impl Lines {
    /// So many of `value`, and those that make up a last line.
    pub(crate) fn new(value: u8, size: usize) -> Lines {
        // One line more, for a vector of so many bytes may begin anywhere.
        Lines(vec![[value; LINE]; size.div_ceil(LINE) + 1])
    }

    fn begin(&self) -> usize {
        self.0.as_flattened().as_ptr().align_offset(LINE)
    }
}

impl Clone for Lines {
    fn clone(&self) -> Lines {
        let mut copy = Lines::new(0, self.len());
        copy.copy_from_slice(self);
        copy
    }
}

impl Deref for Lines {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        let (begin, size) = (self.begin(), (self.0.len() - 1) * LINE);
        &self.0.as_flattened()[begin..begin + size]
    }
}

impl DerefMut for Lines {
    fn deref_mut(&mut self) -> &mut [u8] {
        let (begin, size) = (self.begin(), (self.0.len() - 1) * LINE);
        &mut self.0.as_flattened_mut()[begin..begin + size]
    }
}
