//! Splits a queued buffer at an element that is not aligned to 64 bytes, as queued copies want.

use ascendcl::memory::fixed::Fixed;
use ascendcl::queue::Queued;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};
use typenum::{U10, U16, U64};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
    buf: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, Fixed<f32, U64>>>,
) -> Result<()> {
    let (_left, right) = buf.split_fixed_mut::<U10>(); //~ mistake
    //~ instead: let (_left, right) = buf.split_fixed_mut::<U16>();
    stream.memset_async(right, 0)
}

fn main() {
    let _ = wrong;
    let _: Option<(U10, U16)> = None;
}
