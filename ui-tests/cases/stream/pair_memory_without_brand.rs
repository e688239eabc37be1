//! Pairs memory of two streams without names outside their closures: one number would stand for both streams.

use ascendcl::stream::Numbered;
use ascendcl::{DeviceBuf, Npu, Queued};

type Memory<'d> = Queued<'d, (Npu<0>, Numbered), DeviceBuf<'d, Npu<0>, [u32]>>;

fn wrong<'d>(first: Memory<'d>, second: Memory<'d>) {
    drop(first.and(second)); //~ mistake
    //~ instead: drop((first, second));
}
