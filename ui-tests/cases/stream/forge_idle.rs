//! Makes the proof that a stream is idle without waiting for it.
#![allow(unused)]

use ascendcl::stream::{Idle, Main};
use ascendcl::{Npu, Result, Stream};

fn wrong<'s>(stream: &'s mut Stream<'_, '_, Npu<0>>) -> Result<Idle<'s, (Npu<0>, Main)>> {
    Ok(Idle {}) //~ mistake
    //~ instead: stream.synchronize()
}
