//! Splits a queued buffer at an element whose number has a zero in front.

use ascendcl::memory::fixed::Fixed;
use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu};
use typenum::{B0, U64, UInt, UTerm};

type Mid = UInt<UTerm, B0>; //~ mistake
//~ instead: type Mid = UTerm;

fn wrong(buf: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, Fixed<f32, U64>>>) -> usize {
    let (left, _right) = buf.split_fixed_mut::<Mid>(); //~ mistake
    //~ instead: let (left, _right) = buf.split_fixed_mut::<Mid>();
    left.len()
}

fn main() {
    let _ = wrong;
    let _: Option<UInt<UTerm, B0>> = None;
}
