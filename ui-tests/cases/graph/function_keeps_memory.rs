//! Keeps the memory that a function of the host is lent.
#![allow(unused)]

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong<'s>(stream: &mut Stream<'_, '_, Npu<0>>, bytes: HostBuf<'_, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let mut kept: Option<&'static mut [u8]> = None; //~ mistake
        recording.each_run_on(&mut bytes, move |bytes| kept = Some(bytes)) //~ mistake
        //~ instead: recording.each_run_on(&mut bytes, move |bytes| bytes.reverse())
    })?;
    drop(graph);
    Ok(())
}
