/// One way to copy.
struct Engine {
    name: &'static str,
    load: unsafe fn(*const u8, &mut [u8]),
    store: unsafe fn(*mut u8, &[u8]),
    zero: unsafe fn(*mut u8, usize),
    forward: unsafe fn(*mut u8, *const u8, usize),
    backward: unsafe fn(*mut u8, *const u8, usize),
    stream: unsafe fn(*mut u8, *const u8, usize),
}

const ENGINES: &[Engine] = &[
    Engine {
        name: "chosen",
        load: super::load,
        store: super::store,
        zero: super::zero,
        forward: super::forward,
        backward: super::backward,
        stream: super::stream,
    },
    Engine {
        name: "bytewise",
        load: super::bytewise::load,
        store: super::bytewise::store,
        zero: super::bytewise::zero,
        forward: super::bytewise::forward,
        backward: super::bytewise::backward,
        stream: super::bytewise::stream,
    },
];

/// Room for the longest copy at every start.
const SIZE: usize = if cfg!(miri) { 400 } else { 700 };

fn pattern() -> Vec<u8> {
    (0..=250).cycle().take(SIZE).collect()
}

/// Lengths around the words and lines that a copy could be made of, at every misalignment.
fn lengths() -> impl Iterator<Item = usize> {
    // An interpreter takes a second for what takes a microsecond.
    let step = if cfg!(miri) { 43 } else { 1 };
    let long = if cfg!(miri) { &[257][..] } else { &[255, 256, 257, 511, 512, 513] };
    (0..=130).step_by(step).chain(long.iter().copied())
}

#[test]
fn every_engine_copies_exactly_the_bytes_named() {
    let pattern = pattern();
    for engine in ENGINES {
        for length in lengths() {
            for start in [0, 1, 5, 8, 13] {
                let given = &pattern[start..start + length];
                let mut memory = vec![0xEE; SIZE];
                let at = memory[start..].as_mut_ptr();
                // SAFETY: from `start` the vector has at least `length` bytes.
                unsafe { (engine.store)(at, given) };
                assert_eq!(&memory[start..start + length], given, "{} {start} {length}", engine.name);
                let outside = memory[..start].iter().chain(&memory[start + length..]);
                assert!(outside.into_iter().all(|byte| *byte == 0xEE), "{} wrote beside", engine.name);

                let mut read = vec![0x11; length];
                let at = memory[start..].as_mut_ptr();
                // SAFETY: as above.
                unsafe { (engine.load)(at, &mut read) };
                assert_eq!(read, given, "{} {start} {length}", engine.name);

                // SAFETY: as above.
                unsafe { (engine.zero)(at, length) };
                assert!(memory[start..start + length].iter().all(|byte| *byte == 0));
                let outside = memory[..start].iter().chain(&memory[start + length..]);
                assert!(outside.into_iter().all(|byte| *byte == 0xEE), "{} zeroed beside", engine.name);
            }
        }
    }
}

/// `from` and `to` at every small distance, in one vector; `copy_within` says what must come of it.
#[test]
fn each_direction_keeps_what_overlaps() {
    for engine in ENGINES {
        for length in lengths() {
            for distance in [0, 1, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 100] {
                for (copy, from, to) in [(engine.forward, distance, 0), (engine.backward, 0, distance)] {
                    let mut memory = pattern();
                    let mut expected = memory.clone();
                    expected.copy_within(from..from + length, to);
                    let base = memory.as_mut_ptr();
                    // SAFETY: `distance + length` bytes lie in the vector.
                    unsafe { copy(base.wrapping_add(to), base.wrapping_add(from), length) };
                    assert_eq!(memory, expected, "{} {length} from {from} to {to}", engine.name);
                }
            }
        }
    }
}

#[test]
fn streams_copy_exactly_the_bytes_named() {
    // Memory that a GPU reads is never borrowed as constant; so neither is what stands for it here.
    let mut pattern = pattern();
    let from = pattern[7..].as_mut_ptr();
    for engine in ENGINES {
        for length in lengths() {
            for start in [0, 1, 5, 8, 13, 63] {
                let mut memory = vec![0xEE; SIZE];
                let to = memory[start..].as_mut_ptr();
                // SAFETY: both vectors have as many bytes from there on, and are two.
                unsafe { (engine.stream)(to, from, length) };
                assert_eq!(memory[start..start + length], pattern[7..7 + length], "{} {length}", engine.name);
                let outside = memory[..start].iter().chain(&memory[start + length..]);
                assert!(outside.into_iter().all(|byte| *byte == 0xEE), "{} wrote beside", engine.name);
            }
        }
    }
}
