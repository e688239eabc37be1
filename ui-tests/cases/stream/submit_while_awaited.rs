//! Queues work on a stream while a future waits for all of its work.

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

async fn wrong(mut stream: Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
    let fresh = stream.malloc::<u8>(4)?;
    //~ instead: let twos = stream.memset_async(fresh, 2)?;
    let done = stream.synchronized();
    let twos = stream.memset_async(fresh, 2)?; //~ mistake
    let idle = done.await?;
    idle.take(ones).free()?;
    idle.take(twos).free()
}
