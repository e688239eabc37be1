//! Queues work while the host uses memory that an idle stream has lent.

use ascendcl::{HostBuf, Npu, Queued, Result, Stream, stream::Main};

fn wrong<'d>(
    stream: &mut Stream<'_, 'd, Npu<0>, Main>,
    numbers: &mut Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
    other: &mut Queued<'d, (Npu<0>, Main), HostBuf<'d, [u32]>>,
) -> Result<()> {
    let idle = stream.synchronize()?;
    let lent = idle.get_mut(numbers);
    //~ instead: lent[0] = 7;
    stream.memset_async(other, 7)?; //~ mistake
    lent[0] = 7; //~ mistake
    //~ instead: stream.memset_async(other, 7)?;
    Ok(())
}
