//! Lends memory that nothing has written.
#![allow(unused)]

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &Stream<'_, '_, Npu<0>>) -> Result<()> {
    let fresh = current.malloc::<u32>(16)?;
    current.scope(|scope| {
        let lease = scope.lend(&fresh); //~ mistake
    })?;
    //~ instead: drop(stream.adopt(fresh));
    Ok(())
}
