//! Limits a wait by a bare number, which may be of seconds or of milliseconds.
#![allow(unused)]

use std::time::Duration;

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    stream.synchronize_within(100)?; //~ mistake
    //~ instead: stream.synchronize_within(Duration::from_millis(100))?;
    Ok(())
}
