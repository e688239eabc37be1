//! Splits a buffer at an element whose number has a zero in front.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{DeviceBuf, Npu};
use typenum::{B0, B1, U64, UInt, UTerm};

type Mid = UInt<UInt<UTerm, B0>, B1>; //~ mistake
//~ instead: type Mid = UInt<UTerm, B1>;

fn wrong(buf: &mut DeviceBuf<'_, Npu<0>, Fixed<f32, U64>>) -> usize {
    let (left, _right) = buf.split_fixed_mut::<Mid>(); //~ mistake
    //~ instead: let (left, _right) = buf.split_fixed_mut::<Mid>();
    left.len()
}

fn main() {
    let _ = wrong;
    let _: Option<B0> = None;
}
