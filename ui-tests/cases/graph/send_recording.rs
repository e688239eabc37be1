//! Records on another thread than the one of the capture.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        std::thread::scope(|threads| {
            threads.spawn(|| recording.memset_async(&mut bytes, 1)); //~ mistake
            //~ instead: recording.memset_async(&mut bytes, 1)
        }); //~ mistake
        //~ instead: })?;
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
