//! The tables of JPEG: the order of coefficients, their steps, and the codes of annex K of ITU-T T.81.
#![expect(
    clippy::indexing_slicing,
    reason = "a symbol has 8 bits, and numbers of coefficients are below 64"
)]

/// The coefficients of a block in the order of a file: their numbers in the order of rows.
pub(super) const ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59,
    52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The place of each coefficient in that order.
pub(super) const PLACES: [u8; 64] = {
    let (mut places, mut at) = ([0; 64], 0);
    while at < 64 {
        places[ZIGZAG[at] as usize] = at as u8;
        at += 1;
    }
    places
};

/// The steps of brightness and of colours for a quality of 50, in the order of rows.
const STEPS: [[u8; 64]; 2] = [
    [
        16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69,
        56, 14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81,
        104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
    ],
    [
        17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99, 99,
        99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
        99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
    ],
];

/// The codes of the first coefficients of blocks and of the others, of brightness and of colours: how many have each number of bits,
/// and their symbols.
pub(super) const CODES: [[([u8; 16], &[u8]); 2]; 2] = [
    [
        (
            [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        ),
        (
            [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125],
            &[
                0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51,
                0x61, 0x07, 0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1,
                0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18,
                0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39,
                0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57,
                0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75,
                0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92,
                0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
                0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
                0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8,
                0xd9, 0xda, 0xe1, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2,
                0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
            ],
        ),
    ],
    [
        (
            [0, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
            &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
        ),
        (
            [0, 2, 1, 2, 4, 4, 3, 4, 7, 5, 4, 4, 0, 1, 2, 119],
            &[
                0x00, 0x01, 0x02, 0x03, 0x11, 0x04, 0x05, 0x21, 0x31, 0x06, 0x12, 0x41, 0x51, 0x07,
                0x61, 0x71, 0x13, 0x22, 0x32, 0x81, 0x08, 0x14, 0x42, 0x91, 0xa1, 0xb1, 0xc1, 0x09,
                0x23, 0x33, 0x52, 0xf0, 0x15, 0x62, 0x72, 0xd1, 0x0a, 0x16, 0x24, 0x34, 0xe1, 0x25,
                0xf1, 0x17, 0x18, 0x19, 0x1a, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x35, 0x36, 0x37, 0x38,
                0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56,
                0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74,
                0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
                0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5,
                0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba,
                0xc2, 0xc3, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6,
                0xd7, 0xd8, 0xd9, 0xda, 0xe2, 0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf2,
                0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
            ],
        ),
    ],
];

/// The codes of symbols: the bits, in front of those of a number that follows, and how many both have.
pub(super) type Table = [(u32, u32); 256];

/// Returns the codes of brightness and of colours: those of first coefficients, and those of the others.
pub(super) fn tables() -> [[Table; 2]; 2] {
    CODES.each_ref().map(|codes| codes.each_ref().map(table))
}

fn table((counts, symbols): &([u8; 16], &[u8])) -> Table {
    let mut table = [(0, 0); 256];
    let (mut code, mut symbols) = (0, symbols.iter());
    for (count, len) in counts.iter().zip(1..) {
        for symbol in symbols.by_ref().take(usize::from(*count)) {
            // The lower half of a symbol is the number of bits that follow.
            let follow = u32::from(symbol & 15);
            table[usize::from(*symbol)] = (code << follow, len + follow);
            code += 1;
        }
        code *= 2;
    }
    table
}

/// The steps of coefficients, and how the magnitudes of a block, which are eight times too large, are divided by them: a half of a step
/// is added to each one, and the higher 16 bits of a product with a factor, and then with another one, are the quotient.
pub(super) struct Quantizer {
    pub(super) steps: [u8; 64],
    pub(super) halves: [u16; 64],
    pub(super) factors: [[u16; 64]; 2],
}

impl Quantizer {
    /// Makes the steps of brightness and of colours for a quality of 1 to 100.
    pub(super) fn pair(quality: u8) -> [Quantizer; 2] {
        let quality = u32::from(quality.clamp(1, 100));
        let scale = if quality < 50 {
            5000 / quality
        } else {
            200 - 2 * quality
        };
        let scaled = |step| ((u32::from(step) * scale + 50) / 100).clamp(1, 255) as u8;
        STEPS.map(|steps| Quantizer::new(steps.map(scaled)))
    }

    fn new(steps: [u8; 64]) -> Quantizer {
        let factors = steps.map(factors);
        Quantizer {
            steps,
            halves: steps.map(|step| 4 * u16::from(step)),
            factors: [factors.map(|[one, _]| one), factors.map(|[_, other]| other)],
        }
    }
}

/// Returns factors for a step. The first one has 16 bits, so the quotient is exact if the dividend has 15.
fn factors(step: u8) -> [u16; 2] {
    let divisor = 8 * u32::from(step);
    let places = (divisor - 1).ilog2();
    let first = (1_u32 << (16 + places)).div_ceil(divisor);
    [first as u16, 1 << (16 - places)]
}

#[cfg(test)]
mod tests {
    #[test]
    fn quotients_are_exact() {
        for step in 1..=255 {
            let factors = super::factors(step).map(u32::from);
            for dividend in 0..1 << 15 {
                let quotient = (((dividend * factors[0]) >> 16) * factors[1]) >> 16;
                assert_eq!(
                    quotient,
                    dividend / (8 * u32::from(step)),
                    "{dividend} {step}"
                );
            }
        }
    }
}
