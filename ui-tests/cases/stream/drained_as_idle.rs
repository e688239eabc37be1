//! Passes the proof that a stream was drained where success is wanted.

use ascendcl::stream::{Idle, Main};
use ascendcl::{Npu, Result, Stream};

fn finish(_: Idle<'_, (Npu<0>, Main)>) {}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    finish(stream.drain()?); //~ mistake
    //~ instead: finish(stream.synchronize()?);
    Ok(())
}
