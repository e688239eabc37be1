//! Records a function of the host that gives away what it owns.

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    text: String,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run(move || drop(text))?; //~ mistake
        //~ instead: recording.each_run(move || println!("{text}"))?;
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
