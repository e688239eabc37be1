//! Declares more parameters than a kernel here may have.

use ascendcl::kernel;
use ascendcl::kernel::InOut;

kernel! {
    pub struct Fill = fill(
        x: InOut<u32>,
        a: u8, b: u8, c: u8, d: u8, e: u8, f: u8, g: u8, h: u8, i: u8, j: u8, k: u8, l: u8,
        m: u8, n: u8, o: u8, p: u8, q: u8, r: u8, s: u8, t: u8, u: u8, v: u8, w: u8,
        y: u8, //~ mistake
    );
}
