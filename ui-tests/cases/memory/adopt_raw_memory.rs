//! Takes over an address of the C API as a buffer without `unsafe`.

use ascendcl::{Buf, DeviceBuf, Npu};

fn wrong(buf: DeviceBuf<'static, Npu<0>, [f32]>) -> DeviceBuf<'static, Npu<0>, [f32]> {
    Buf::from_raw(buf.into_raw()) //~ mistake
    //~ instead: // SAFETY: the buffer was just given up, so nothing else frees it.
    //~ instead: unsafe { Buf::from_raw(buf.into_raw()) }
}
