//! Passes the stream of one device where the stream of another is wanted.

use ascendcl::{Npu, Stream};

fn train(_: &mut Stream<'_, '_, Npu<0>>) {}

fn wrong(on_0: &mut Stream<'_, '_, Npu<0>>, on_1: &mut Stream<'_, '_, Npu<1>>) {
    train(on_1); //~ mistake
    //~ instead: train(on_0);
}
