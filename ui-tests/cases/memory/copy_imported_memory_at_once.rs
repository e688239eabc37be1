//! Copies memory of another process by a blocking call: between two devices AscendCL has only queued copies.

use ascendcl::share::{Imported, SharedBuf};
use ascendcl::{Current, DeviceBuf, Npu, Result, Stream};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>>,
    to: DeviceBuf<'dev, Npu<0>, [f32]>,
    shared: SharedBuf<'dev, Imported<Npu<0>>, f32>,
) -> Result<()> {
    let mut to = to; //~ mistake
    current.memcpy(&mut to, &shared) //~ mistake
    //~ instead: let (mut to, shared) = (stream.adopt(to), stream.adopt(shared));
    //~ instead: stream.memcpy_async(&mut to, &shared)
}
