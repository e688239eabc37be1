//! Stores a buffer without a lifetime although its device will be reset.

use ascendcl::{Device, DeviceBuf, Npu};

struct Cache { //~ mistake
    _weights: DeviceBuf<'static, Npu<0>, [f32]>, //~ mistake
} //~ mistake
//~ instead: struct Cache<'dev> {
//~ instead:     _weights: DeviceBuf<'dev, Npu<0>, [f32]>,
//~ instead: }

fn wrong<'dev>(_: &'dev Device<'_, Npu<0>>, weights: DeviceBuf<'dev, Npu<0>, [f32]>) {
    Cache { _weights: weights }; //~ mistake
    //~ instead: Cache { _weights: weights };
}
