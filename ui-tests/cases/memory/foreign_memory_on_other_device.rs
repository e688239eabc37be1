//! Hands memory that another library has on one device to a stream of another device.

use ascendcl::memory::ForeignBuf;
use ascendcl::{Npu, Stream};

fn wrong(
    (first, second): (&Stream<'_, '_, Npu<0>>, &Stream<'_, '_, Npu<1>>),
    tensor: ForeignBuf<'_, Npu<0>, [f32]>,
) {
    let _queued = second.adopt(tensor); //~ mistake
    //~ instead: let _queued = first.adopt(tensor);
}
