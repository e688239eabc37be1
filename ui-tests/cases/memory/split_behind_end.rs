//! Splits a buffer of 64 elements at element 128.

use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, DeviceBuf, Npu, Result};
use typenum::{U16, U64, U128};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    buf: &mut DeviceBuf<'_, Npu<0>, Fixed<f32, U64>>,
) -> Result<()> {
    let (left, _right) = buf.split_fixed_mut::<U128>(); //~ mistake
    //~ instead: let (left, _right) = buf.split_fixed_mut::<U16>();
    current.memset(left, 0)
}

fn main() {
    let _ = wrong;
    let _: Option<(U16, U128)> = None;
}
