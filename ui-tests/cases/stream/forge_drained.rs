//! Makes the proof that a stream was drained without waiting for it.
#![allow(unused)]

use ascendcl::stream::{Drained, Main};
use ascendcl::{Npu, Result, Stream};

fn wrong<'s>(stream: &'s mut Stream<'_, '_, Npu<0>>) -> Result<Drained<'s, (Npu<0>, Main)>> {
    Ok(Drained {}) //~ mistake
    //~ instead: stream.drain()
}
