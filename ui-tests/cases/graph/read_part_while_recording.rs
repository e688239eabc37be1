//! Reads host memory of a graph while it records.

use ascendcl::{HostBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: HostBuf<'_, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run_on(&mut bytes, |bytes| bytes.reverse())?;
        println!("{}", bytes[0]); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
