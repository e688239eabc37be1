//! Asks how much a launched operator has written before its stream was waited for.

use ascendcl::memory::Dev;
use ascendcl::op::Counted;
use ascendcl::stream::Main;
use ascendcl::{Npu, Queued, Result, Stream};

type InQueue<'d> = Queued<'d, (Npu<0>, Main), Counted<'d, Dev<Npu<0>>, [i64]>>;

fn wrong<'d>(stream: &mut Stream<'_, 'd, Npu<0>>, counted: InQueue<'d>) -> Result<Vec<usize>> {
    counted.shape() //~ mistake
    //~ instead: stream.synchronize()?.take(counted).shape()
}
