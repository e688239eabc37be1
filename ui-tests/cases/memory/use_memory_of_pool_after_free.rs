//! Queues work with memory of a pool behind its free.

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, '_, Npu<0>, Main>,
) -> Result<()> {
    let pool = current.create_pool(1 << 30)?;
    let zeros = stream.memset_async(stream.malloc_from::<f32>(&pool, 16)?, 0)?;
    drop(zeros); //~ mistake
    stream.memcpy_async(stream.malloc_host(host, 16)?, &zeros)?;
    //~ instead: drop(zeros);
    Ok(())
}
