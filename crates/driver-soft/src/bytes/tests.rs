use super::*;

const PAGE: usize = 4096;
/// An interpreter takes a second for what takes a microsecond.
const SIZE: usize = if cfg!(miri) { 40 * PAGE } else { 1 << 20 };

fn bytes(mapping: &Mapping, offset: usize, count: usize) -> Vec<u8> {
    let mut read = vec![0xEE; count];
    mapping.read(offset, &mut read);
    read
}

#[test]
fn a_mapping_is_zero_and_keeps_what_is_written() {
    let mapping = Reservation::new(SIZE as u64, Access::Open, "a test").unwrap();
    assert_eq!(bytes(&mapping, 0, SIZE), vec![0; SIZE]);
    mapping.write(PAGE - 1, &[1, 2, 3]);
    assert_eq!(bytes(&mapping, PAGE - 2, 5), [0, 1, 2, 3, 0]);
    assert_eq!(mapping.address(PAGE).addr().get() - mapping.address(0).addr().get(), PAGE);
}

#[test]
fn discarded_pages_are_zero_and_their_neighbours_are_not() {
    let mapping = Reservation::new(SIZE as u64, Access::Open, "a test").unwrap();
    mapping.write(0, &[0xAB; SIZE]);
    mapping.discard(16 * PAGE, 16 * PAGE);
    assert_eq!(bytes(&mapping, 16 * PAGE, 16 * PAGE), [0; 16 * PAGE]);
    assert_eq!(bytes(&mapping, 16 * PAGE - 1, 2), [0xAB, 0]);
    assert_eq!(bytes(&mapping, 32 * PAGE - 1, 2), [0, 0xAB]);
}

#[test]
#[should_panic(expected = "bug: 2 bytes at 4095 do not lie in a mapping of 4096 bytes")]
fn access_beyond_the_end_is_caught_as_a_bug() {
    Reservation::new(4096, Access::Open, "a test").unwrap().write(4095, &[1, 2]);
}

#[test]
#[should_panic(expected = "do not lie in a mapping")]
fn an_offset_whose_end_wraps_is_caught_as_a_bug() {
    Reservation::new(4096, Access::Open, "a test").unwrap().read(usize::MAX, &mut [0; 2]);
}

#[test]
#[should_panic(expected = "bug: 4096 bytes at 100 are not whole pages")]
fn only_whole_pages_are_discarded() {
    Reservation::new(SIZE as u64, Access::Open, "a test").unwrap().discard(100, 4096);
}

/// 2^62 bytes are an address range that no machine of today has; 2^63 is beyond what offsets count.
#[test]
fn what_the_machine_cannot_map_is_out_of_memory() {
    for size in [1_u64 << 62, 1 << 63, u64::MAX] {
        let refused = Reservation::new(size, Access::Open, "a test").unwrap_err();
        match refused {
            DriverError::OutOfMemory { what, size: given, reason } => {
                assert_eq!((what, given), ("a test", size));
                assert!(!reason.is_empty());
            }
            other => panic!("{other:?}"),
        }
    }
}

#[cfg(not(miri))]
mod of_the_system {
    use super::*;

    /// The permissions of the page at `address`, from the system's own list of mappings.
    fn permissions(address: NonNull<u8>) -> Option<String> {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        maps.lines().find_map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let (begin, end) = fields.next()?.split_once('-')?;
            let range = usize::from_str_radix(begin, 16).ok()?..usize::from_str_radix(end, 16).ok()?;
            range.contains(&address.addr().get()).then(|| fields.next().unwrap().to_owned())
        })
    }

    #[test]
    fn pages_open_and_close_alone() {
        let mapping = Reservation::new(1 << 20, Access::Closed, "a test").unwrap();
        assert_eq!(permissions(mapping.address(0)).unwrap(), "---p");
        mapping.open(4 * PAGE, 2 * PAGE, "a test").unwrap();
        let now = |page: usize| permissions(mapping.address(page * PAGE)).unwrap();
        assert_eq!([now(3), now(4), now(5), now(6)], ["---p", "rw-p", "rw-p", "---p"]);
        mapping.write(4 * PAGE, &[7; 2 * PAGE]);
        mapping.discard(4 * PAGE, 2 * PAGE);
        mapping.close(4 * PAGE, 2 * PAGE);
        assert_eq!([now(4), now(5)], ["---p", "---p"]);
        mapping.open(4 * PAGE, 2 * PAGE, "a test").unwrap();
        assert_eq!(bytes(&mapping, 4 * PAGE, 2 * PAGE), [0; 2 * PAGE]);
    }

    #[test]
    fn two_mappings_of_a_file_are_the_same_bytes() {
        let file = SharedFile::create(100_000, "a test").unwrap();
        let (a, b) = (Mapping::of_file(&file, "a test").unwrap(), Mapping::of_file(&file, "a test").unwrap());
        assert_ne!(a.address(0), b.address(0));
        a.write(99_998, &[5, 6]);
        assert_eq!(bytes(&b, 99_997, 3), [0, 5, 6]);
        assert_eq!(permissions(a.address(0)).unwrap(), "rw-s");
    }

    /// Else a process with the handle could take the pages away under a copy.
    #[test]
    fn the_size_of_a_file_is_sealed() {
        let file = SharedFile::create(8192, "a test").unwrap();
        let other = std::fs::File::from(file.duplicate().unwrap());
        for size in [0, 4096, 16_384] {
            assert_eq!(
                other.set_len(size).unwrap_err().kind(),
                std::io::ErrorKind::PermissionDenied,
                "{size}"
            );
        }
        assert_eq!(other.metadata().unwrap().len(), 8192 + 4096);
    }

    /// The file is made before its mapping fails; both are gone afterwards.
    #[test]
    fn a_file_that_cannot_be_mapped_is_out_of_memory() {
        let file = SharedFile::create(1 << 62, "a file").unwrap();
        let refused = Mapping::of_file(&file, "a mapping").unwrap_err();
        assert!(
            matches!(refused, DriverError::OutOfMemory { what: "a mapping", size, .. } if size == 1 << 62),
            "{refused:?}"
        );
        let refused = SharedFile::create(1 << 63, "a file").unwrap_err();
        assert!(matches!(refused, DriverError::OutOfMemory { what: "a file", size, .. } if size == 1 << 63));
    }
}
