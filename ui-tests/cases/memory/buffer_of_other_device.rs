//! Passes a buffer of one device where a buffer of another is wanted.

use ascendcl::{DeviceBuf, Npu};

fn infer(_: &DeviceBuf<'_, Npu<0>, [f32]>) {}

fn wrong(on_0: &DeviceBuf<'_, Npu<0>, [f32]>, on_1: &DeviceBuf<'_, Npu<1>, [f32]>) {
    infer(on_1); //~ mistake
    //~ instead: infer(on_0);
}
