//! Names a buffer by its element type alone.

use ascendcl::{DeviceBuf, Npu};

fn wrong(buf: &DeviceBuf<'_, Npu<0>, f32>) { //~ mistake
    //~ instead: fn wrong(buf: &DeviceBuf<'_, Npu<0>, [f32]>) {
    let _ = buf;
}
