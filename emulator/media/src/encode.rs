//! Encoding of baseline JPEG (ITU-T T.81).
//!
//! A block is transformed and divided by vectors of 256 bits, and only the coefficients that remain are visited: another encoder took
//! twice as long.
#![expect(
    clippy::indexing_slicing,
    reason = "a symbol has 8 bits, and numbers of coefficients are below 64"
)]

mod block;
mod tables;
#[cfg(target_arch = "x86_64")]
mod vectors;

use ascendcl_emulator::media::Plane;

use block::{Block, Samples, block};
use tables::{CODES, PLACES, Quantizer, Table, ZIGZAG, tables};

/// The symbols of sixteen coefficients that are zero, and of zeros up to the end.
const SIXTEEN: usize = 0xf0;
const REST: usize = 0;

/// Encodes planes of Y, U and V. Two pixels of a row share a colour, and those of two rows if `is_420`: it is that of the first one.
pub(crate) fn encoded(planes: &[Plane; 3], is_420: bool, quality: u8) -> Result<Vec<u8>, String> {
    let down = if is_420 { 2 } else { 1 };
    let [width, height] = [planes[0].width, planes[0].height];
    let side = |side: usize| match u16::try_from(side) {
        Ok(side) if side > 0 => Ok(side.to_be_bytes()),
        _ => Err(format!("a picture of {width}x{height} pixels is no JPEG")),
    };
    let sides = [side(height)?, side(width)?];
    let (quantizers, tables) = (Quantizer::pair(quality), tables());
    let component = |at: usize, apart, blocks| Component {
        plane: &planes[at],
        apart,
        blocks,
        quantizer: &quantizers[at.min(1)],
        tables: &tables[at.min(1)],
        last: 0,
        samples: Vec::new(),
    };
    let mut components = [
        component(0, (1, 1), (2, down)),
        component(1, (2, down), (1, 1)),
        component(2, (2, down), (1, 1)),
    ];
    let mut bits = Bits {
        file: head(sides, down as u8, &quantizers),
        bits: 0,
        count: 0,
    };
    let units = width.div_ceil(16);
    for row in 0..height.div_ceil(8 * down) {
        for component in &mut components {
            component.read(row, units);
        }
        write(&mut components, units, &mut bits);
    }
    let mut file = bits.end();
    file.extend([0xff, 0xd9]);
    Ok(file)
}

/// Returns what stands in front of the scan.
fn head([height, width]: [[u8; 2]; 2], down: u8, quantizers: &[Quantizer; 2]) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    let mut segment = |marker: u8, parts: &[&[u8]]| {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        file.extend([0xff, marker]);
        file.extend((len as u16 + 2).to_be_bytes());
        parts.iter().for_each(|part| file.extend_from_slice(part));
    };
    segment(0xe0, &[b"JFIF\0", &[1, 2, 0, 0, 1, 0, 1, 0, 0]]);
    // The number, the sampling and the steps of each component.
    let components = [3, 0, 0x20 | down, 0, 1, 0x11, 1, 2, 0x11, 1];
    segment(0xc0, &[&[8], &height, &width, &components]);
    for (number, one) in (0..).zip(quantizers) {
        segment(
            0xdb,
            &[&[number], &ZIGZAG.map(|at| one.steps[usize::from(at)])],
        );
    }
    for (number, codes) in (0..).zip(&CODES) {
        for (class, (counts, symbols)) in (0..).zip(codes) {
            segment(0xc4, &[&[class << 4 | number], counts, symbols]);
        }
    }
    segment(0xda, &[&[3, 0, 0, 1, 0x11, 2, 0x11, 0, 63, 0]]);
    file
}

/// A component of a picture.
struct Component<'a> {
    plane: &'a Plane,
    /// The distances of samples, in pixels.
    apart: (usize, usize),
    /// The blocks beside and below each other in a unit, which has the same pixels in all components.
    blocks: (usize, usize),
    quantizer: &'a Quantizer,
    tables: &'a [Table; 2],
    /// The first coefficient of the last block.
    last: i16,
    /// The samples of a row of units.
    samples: Vec<u8>,
}

impl Component<'_> {
    /// Reads the samples of a row of units. Beyond the edges they are those of the last pixels.
    fn read(&mut self, row: usize, units: usize) {
        let (plane, rows) = (self.plane, self.blocks.1 * 8);
        self.samples.clear();
        for y in row * rows..(row + 1) * rows {
            let y = (y * self.apart.1).min(plane.height.saturating_sub(1));
            let from = plane.bytes.get(y * plane.width..(y + 1) * plane.width);
            let from = from.unwrap_or_default();
            let until = self.samples.len() + units * self.blocks.0 * 8;
            if self.apart.0 == 1 {
                self.samples.extend_from_slice(from);
            } else {
                let pairs = from.as_chunks::<2>().0.iter();
                self.samples.extend(pairs.map(|[first, _]| first));
            }
            self.samples
                .resize(until, from.last().copied().unwrap_or_default());
        }
    }

    /// Writes the blocks of a unit.
    #[inline(always)]
    fn write(
        &mut self,
        unit: usize,
        units: usize,
        bits: &mut Bits,
        block: &impl Fn(&Samples, &Quantizer) -> Block,
    ) {
        let (across, down) = self.blocks;
        let row = units * across * 8;
        for (y, x) in (0..down).flat_map(|y| (0..across).map(move |x| (y, x))) {
            let from = self.samples.get(y * 8 * row + (unit * across + x) * 8..);
            let mut samples = [[0; 8]; 8];
            for (to, from) in samples.iter_mut().zip(from.unwrap_or_default().chunks(row)) {
                *to = *from.first_chunk().unwrap_or(to);
            }
            let block = block(&samples, self.quantizer);
            bits.block(&block, self.last, self.tables);
            self.last = block.numbers[0];
        }
    }
}

/// Writes a row of units.
fn write(components: &mut [Component<'_>; 3], units: usize, bits: &mut Bits) {
    #[cfg(target_arch = "x86_64")]
    if has_vectors() {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt")]
        fn wide(components: &mut [Component<'_>; 3], units: usize, bits: &mut Bits) {
            write_by(components, units, bits, |samples, by| {
                vectors::block(samples, by)
            });
        }
        // SAFETY: the processor has what the function needs.
        return unsafe { wide(components, units, bits) };
    }
    write_by(components, units, bits, block);
}

/// Whether the processor has vectors of 256 bits, and instructions that count and move bits.
#[cfg(target_arch = "x86_64")]
fn has_vectors() -> bool {
    std::is_x86_feature_detected!("avx2")
        && std::is_x86_feature_detected!("bmi1")
        && std::is_x86_feature_detected!("bmi2")
        && std::is_x86_feature_detected!("lzcnt")
}

#[inline(always)]
fn write_by(
    components: &mut [Component<'_>; 3],
    units: usize,
    bits: &mut Bits,
    block: impl Fn(&Samples, &Quantizer) -> Block,
) {
    for unit in 0..units {
        for component in components.iter_mut() {
            component.write(unit, units, bits, &block);
        }
    }
}

/// Bits that become bytes of a scan.
struct Bits {
    file: Vec<u8>,
    /// The bits that are no byte yet, at the end, and their number.
    bits: u64,
    count: u32,
}

impl Bits {
    /// Writes a block behind one with the first coefficient `last`.
    #[inline(always)]
    fn block(&mut self, block: &Block, last: i16, [first, others]: &[Table; 2]) {
        self.number(first, 0, block.numbers[0] - last);
        // Coefficients in the order of the file.
        let (mut open, mut filled) = (block.filled & !1, 0_u64);
        while open != 0 {
            filled |= 1 << PLACES[open.trailing_zeros() as usize % 64];
            open &= open - 1;
        }
        let mut next = 1;
        while filled != 0 {
            let at = filled.trailing_zeros();
            filled &= filled - 1;
            let mut zeros = at - next;
            while zeros > 15 {
                self.put(others[SIXTEEN]);
                zeros -= 16;
            }
            let place = usize::from(ZIGZAG[at as usize % 64]);
            self.number(others, zeros, block.numbers[place % 64]);
            next = at + 1;
        }
        if next < 64 {
            self.put(others[REST]);
        }
    }

    /// Writes a number: the code of the zeros before it and of its length, and its bits.
    #[inline(always)]
    fn number(&mut self, table: &Table, zeros: u32, number: i16) {
        let len = 16 - number.unsigned_abs().leading_zeros();
        // A negative number has the bits of the one below it.
        let low = i32::from(number + (number >> 15)).cast_unsigned() & ((1 << len) - 1);
        let (code, count) = table[(zeros << 4 | len) as usize % 256];
        self.put((code | low, count));
    }

    /// Writes up to 32 bits.
    #[inline(always)]
    fn put(&mut self, (bits, count): (u32, u32)) {
        self.bits = self.bits << count | u64::from(bits);
        self.count += count;
        if self.count < 32 {
            return;
        }
        self.count -= 32;
        let word = (self.bits >> self.count) as u32;
        // No byte has its highest bit set and is zero with one more.
        if word & 0x8080_8080 & !word.wrapping_add(0x0101_0101) == 0 {
            self.file.extend_from_slice(&word.to_be_bytes());
        } else {
            word.to_be_bytes()
                .into_iter()
                .for_each(|one| self.byte(one));
        }
    }

    /// Writes a byte. One of ones has a zero byte behind it, so that it is no marker.
    fn byte(&mut self, byte: u8) {
        self.file.push(byte);
        if byte == 0xff {
            self.file.push(0);
        }
    }

    /// Returns the file, with ones up to the next whole byte.
    fn end(mut self) -> Vec<u8> {
        self.put((0x7f, 7));
        while self.count >= 8 {
            self.count -= 8;
            self.byte((self.bits >> self.count) as u8);
        }
        self.file
    }
}
