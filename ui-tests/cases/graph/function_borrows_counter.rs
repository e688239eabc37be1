//! Records a function of the host that borrows a counter outside of the closure.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    bytes: DeviceBuf<'_, Npu<0>, [u8]>,
    counter: &Arc<AtomicU32>,
) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.each_run(|| { counter.fetch_add(1, Relaxed); })?; //~ mistake
        //~ instead: let counter = Arc::clone(counter);
        //~ instead: recording.each_run(move || { counter.fetch_add(1, Relaxed); })?;
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
