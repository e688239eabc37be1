//! Copies twice to one destination in a batch.
#![allow(unused)]

use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    mut target: DeviceBuf<'dev, Npu<0>, [f32]>,
    mut other: DeviceBuf<'dev, Npu<0>, [f32]>,
    source: HostBuf<'dev, [f32]>,
) -> Result<()> {
    current.memcpy_batch([(&mut target, &source), (&mut target, &source)])?; //~ mistake
    //~ instead: current.memcpy_batch([(&mut target, &source), (&mut other, &source)])?;
    Ok(())
}
