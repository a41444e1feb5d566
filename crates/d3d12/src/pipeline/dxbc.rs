//! The container that root signatures and shaders travel in (Microsoft's public documentation of DXBC and DXIL
//! containers): a head with a digest, and parts that four letters name.

/// The head: `DXBC`, 16 bytes of digest, 1, the size of all, the number of parts; then the parts' offsets.
const HEAD: usize = 32;
/// Where what the digest is of begins.
const DIGESTED: usize = 20;

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

fn index(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(word(bytes, at)?).ok()
}

/// The part of that name, where `bytes` are a container that has it.
pub(super) fn part<'a>(bytes: &'a [u8], name: &[u8; 4]) -> Option<&'a [u8]> {
    if bytes.get(..4)? != b"DXBC" || index(bytes, 24)? > bytes.len() {
        return None;
    }
    // Each part has an offset: more than there is room for cannot be, whatever the word says.
    let parts = index(bytes, 28)?.min(bytes.len() / 4);
    (0..parts).find_map(|part| {
        let at = index(bytes, HEAD.checked_add(part.checked_mul(4)?)?)?;
        let body = at.checked_add(8)?;
        let is_it = bytes.get(at..at.checked_add(4)?)? == name;
        is_it.then(|| bytes.get(body..body.checked_add(index(bytes, at + 4)?)?)).flatten()
    })
}

/// A container of one part.
pub(super) fn container(name: &[u8; 4], body: &[u8]) -> Vec<u8> {
    let length = |bytes: usize| u32::try_from(bytes).expect("invariant: a root signature is small");
    let size = HEAD + 4 + 8 + body.len();
    let mut bytes = Vec::with_capacity(size);
    bytes.extend(b"DXBC");
    bytes.extend([0; 16]);
    for word in [1, length(size), 1, length(HEAD + 4)] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(name);
    bytes.extend(length(body.len()).to_le_bytes());
    bytes.extend(body);
    let digest = digest(&bytes[DIGESTED..]);
    bytes[4..DIGESTED].copy_from_slice(&digest);
    bytes
}

/// MD5 (RFC 1321) but for its end: the last block begins with the length in bits and ends with a quarter of that, its
/// lowest bit set.
fn digest(bytes: &[u8]) -> [u8; 16] {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    let (blocks, rest) = bytes.as_chunks::<64>();
    for block in blocks {
        md5_block(&mut state, block);
    }
    let bits = u32::try_from(bytes.len() * 8).expect("invariant: a root signature is small");
    let mut last = [0_u8; 64];
    if rest.len() >= 56 {
        last[..rest.len()].copy_from_slice(rest);
        last[rest.len()] = 0x80;
        md5_block(&mut state, &last);
        last = [0; 64];
    } else {
        last[4..4 + rest.len()].copy_from_slice(rest);
        last[4 + rest.len()] = 0x80;
    }
    last[..4].copy_from_slice(&bits.to_le_bytes());
    last[60..].copy_from_slice(&(bits >> 2 | 1).to_le_bytes());
    md5_block(&mut state, &last);
    let mut digest = [0; 16];
    for (place, word) in digest.chunks_exact_mut(4).zip(state) {
        place.copy_from_slice(&word.to_le_bytes());
    }
    digest
}

/// RFC 1321, 3.4: the table of sines.
fn sine(step: u32) -> u32 {
    let value = (f64::from(step + 1).sin().abs() * 4_294_967_296.0).floor();
    // The value is below 2^32: its integer part fits.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the value is below 2^32")]
    let word = value as u32;
    word
}

const SHIFTS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

fn md5_block(state: &mut [u32; 4], block: &[u8; 64]) {
    let (words, _) = block.as_chunks::<4>();
    let [mut a, mut b, mut c, mut d] = *state;
    for step in 0..64_u32 {
        let (mixed, word) = match step / 16 {
            0 => (b & c | !b & d, step),
            1 => (d & b | !d & c, 5 * step + 1),
            2 => (b ^ c ^ d, 3 * step + 5),
            _ => (c ^ (b | !d), 7 * step),
        };
        let word = usize::try_from(word % 16).expect("invariant: below 16");
        let shift = SHIFTS[usize::try_from(step / 16).expect("invariant: below 4")]
            [usize::try_from(step % 4).expect("invariant: below 4")];
        let sum =
            a.wrapping_add(mixed).wrapping_add(sine(step)).wrapping_add(u32::from_le_bytes(words[word]));
        (a, d, c, b) = (d, c, b, b.wrapping_add(sum.rotate_left(shift)));
    }
    for (place, word) in state.iter_mut().zip([a, b, c, d]) {
        *place = place.wrapping_add(word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 1321, A.5: MD5 of "a", whose one block is written out here.
    #[test]
    fn the_core_is_md5s() {
        let mut block = [0; 64];
        block[0] = b'a';
        block[1] = 0x80;
        block[56] = 8;
        let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
        md5_block(&mut state, &block);
        let digest: String = state.iter().flat_map(|w| w.to_le_bytes()).map(|b| format!("{b:02x}")).collect();
        assert_eq!(digest, "0cc175b9c0f1b6a831c399e269772661");
    }

    #[test]
    fn a_count_of_parts_that_lies_costs_no_time() {
        let mut bytes = container(b"RTS0", &[7; 8]);
        bytes[28..32].copy_from_slice(&u32::MAX.to_le_bytes());
        // 10,000 searches of 2^32 parts each would not end.
        assert!((0..10_000).all(|_| part(&bytes, b"DXIL").is_none()));
        assert_eq!(part(&bytes, b"RTS0"), Some(&[7; 8][..]));
    }

    #[test]
    fn a_part_is_found_again_and_others_are_not() {
        for length in [0, 1, 40, 55, 56, 63, 64, 200] {
            let body = vec![7; length];
            let bytes = container(b"RTS0", &body);
            assert_eq!(part(&bytes, b"RTS0"), Some(body.as_slice()));
            assert_eq!(part(&bytes, b"DXIL"), None);
            for cut in 0..bytes.len() {
                assert_eq!(part(&bytes[..cut], b"RTS0"), None, "{cut} of {length}");
            }
        }
    }
}
