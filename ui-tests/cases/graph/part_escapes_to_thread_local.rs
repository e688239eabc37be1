//! Keeps a part of the memory in a variable of the thread.

use std::any::Any;
use std::cell::RefCell;

use ascendcl::{DeviceBuf, Npu, Result, Stream};

thread_local! {
    static KEPT: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        KEPT.with(|kept| kept.replace(Some(Box::new(bytes)))); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
