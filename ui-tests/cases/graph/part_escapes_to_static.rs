//! Keeps a part of the memory in a static.

use std::any::Any;
use std::sync::Mutex;

use ascendcl::{DeviceBuf, Npu, Result, Stream};

static KEPT: Mutex<Option<Box<dyn Any + Send>>> = Mutex::new(None);

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, bytes: DeviceBuf<'_, Npu<0>, [u8]>) -> Result<()> {
    let graph = stream.capture(bytes, |recording, mut bytes| {
        recording.memset_async(&mut bytes, 1)?;
        *KEPT.lock().unwrap() = Some(Box::new(bytes)); //~ mistake
        Ok(())
    })?;
    drop(graph);
    Ok(())
}
