//! Records a function of the host that borrows a variable.
#![allow(unused)]

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let mut runs = 0;
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run(|| runs += 1)?; //~ mistake
        //~ instead: recording.each_run(move || runs += 1)?;
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
