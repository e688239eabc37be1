//! Gives the same half of a buffer to two threads, each of which writes it.

use ascendcl::{DeviceBuf, Npu, Result};

fn wrong(mut buf: DeviceBuf<'_, Npu<0>, [f32]>) -> Result<()> {
    let (left, right) = buf.split_at_mut(8)?;
    std::thread::scope(|scope| {
        scope.spawn(|| drop(left));
        scope.spawn(|| drop(left)); //~ mistake
        //~ instead: scope.spawn(|| drop(right));
    });
    let _ = right; //~ mistake
    Ok(())
}
