//! Passes the device of one slot where the device of another is wanted.

use ascendcl::{Device, Npu};

fn train(_: &Device<'_, Npu<0>>) {}

fn wrong(first: &Device<'_, Npu<0>>, second: &Device<'_, Npu<1>>) {
    train(second); //~ mistake
    //~ instead: train(first);
}
