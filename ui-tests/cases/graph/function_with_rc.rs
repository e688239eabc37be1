//! Records a function of the host with a value that stays on one thread.
#![allow(unused)]

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use ascendcl::{DeviceBuf, Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        let count = Rc::new(Cell::new(0)); //~ mistake
        //~ instead: let count = Arc::new(AtomicU32::new(0));
        recording.each_run(move || count.set(count.get() + 1))?; //~ mistake
        //~ instead: recording.each_run(move || { count.fetch_add(1, Relaxed); })?;
        recording.memset_async(&mut bytes, 1)
    })?;
    drop(graph);
    Ok(())
}
