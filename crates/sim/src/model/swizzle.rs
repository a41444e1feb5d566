//! Where a texel lies in a tile of 64KB_STANDARD_SWIZZLE: the bit strings of facts/layout.md (64 KB standard
//! swizzle), read letter by letter.

/// The facts' row for elements of `bytes` bytes, most significant address bit first. X counts bytes.
const fn row(is_3d: bool, bytes: usize) -> &'static [u8; 16] {
    match (is_3d, bytes) {
        (false, 1) => b"XYXYXYXYYYYYXXXX",
        (false, 2 | 4) => b"XYXYXYXYXYYYXXXX",
        (false, _) => b"XYXYXYXYXXYYXXXX",
        (true, 1 | 2) => b"XYZXYZYZZZYYXXXX",
        (true, 4) => b"XYZXYZXYZZYYXXXX",
        (true, _) => b"XYZXYZXXZZYYXXXX",
    }
}

/// The byte of a tile at which the element at `[x, y, z]` of it begins.
pub(crate) fn address(is_3d: bool, bytes: usize, [x, y, z]: [usize; 3]) -> usize {
    let (mut x, mut y, mut z) = (x * bytes, y, z);
    let mut address = 0;
    for (bit, letter) in row(is_3d, bytes).iter().rev().enumerate() {
        let coordinate = match letter {
            b'X' => &mut x,
            b'Y' => &mut y,
            _ => &mut z,
        };
        address |= (*coordinate & 1) << bit;
        *coordinate >>= 1;
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    /// facts/layout.md: the deposit masks, X in 2D AA0F (8), AA8F (16/32), AACF (64/128), Y is the complement; X in
    /// 3D 900F (8/16), 920F (32), 930F (64/128).
    #[test]
    fn rows_are_the_masks() {
        let masks = [(1, 0xAA0F, 0x900F), (2, 0xAA8F, 0x900F), (4, 0xAA8F, 0x920F), (8, 0xAACF, 0x930F)];
        for (bytes, in_2d, in_3d) in masks.into_iter().chain([(16, 0xAACF, 0x930F)]) {
            for (is_3d, expected) in [(false, in_2d), (true, in_3d)] {
                let bits = row(is_3d, bytes).iter().rev().enumerate();
                let mask = bits.fold(0, |mask, (bit, letter)| mask | usize::from(*letter == b'X') << bit);
                assert_eq!(mask, expected, "{bytes} bytes, 3D: {is_3d}");
            }
        }
    }

    /// facts/layout.md: each 64-byte line is 16 bytes x 4 rows.
    #[test]
    fn a_line_is_four_rows() {
        assert_eq!(address(false, 4, [4, 0, 0]), 128);
        assert_eq!(address(false, 4, [3, 1, 0]), 28);
        assert_eq!(address(false, 4, [0, 3, 0]), 48);
        assert_eq!(address(false, 4, [127, 127, 0]), 65_532);
        assert_eq!(address(true, 16, [15, 15, 15]), 65_520);
    }
}
