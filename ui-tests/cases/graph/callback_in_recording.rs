//! Queues a callback on a recording.

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    subscribed: &Subscribed<(Npu<0>, Main)>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.launch_callback(subscribed, || println!("done"))?; //~ mistake
        //~ instead: recording.each_run(|| println!("done"))?;
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
