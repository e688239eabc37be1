//! Stores a queued buffer for longer than its device lives.

use ascendcl::stream::Main;
use ascendcl::{Device, DeviceBuf, Npu, Queued, Result, Thread};

type Stored = Queued<'static, (Npu<0>, Main), DeviceBuf<'static, Npu<0>, [u8]>>;

fn wrong(
    device: &Device<'static, Npu<0>>, //~ mistake
    //~ instead: device: &'static Device<'static, Npu<0>>,
    thread: &mut Thread,
    store: &mut Vec<Stored>,
) -> Result<()> {
    let current = thread.set_current(device)?;
    let stream = current.create_stream::<Main>()?;
    let buf = current.malloc::<u8>(16)?;
    store.push(stream.adopt(current.memset(buf, 0)?)); //~ mistake
    //~ instead: store.push(stream.adopt(current.memset(buf, 0)?));
    Ok(())
}
