//! Captures the default stream.
#![allow(unused)]

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let mut stream = current.default_stream()?; //~ mistake
    //~ instead: let mut stream = current.create_stream::<Main>()?;
    let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?; //~ mistake
    //~ instead: let graph = stream.capture(bytes, |recording, bytes| recording.memset_async(bytes, 1))?;
    drop(graph);
    Ok(())
}
