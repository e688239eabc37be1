//! Takes the memory of a future for the result of work that has succeeded.

use ascendcl::stream::Main;
use ascendcl::{HostSide, Npu, Result, Stream};

async fn wrong(host: HostSide<'_>, mut stream: Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
    let copy = stream.memcpy_async(stream.malloc_host(host, 4)?, &zeros)?;
    let copy = stream.completed(copy).await?;
    //~ instead: let copy = stream.synchronize()?.verify(copy);
    println!("{}", copy[0]); //~ mistake
    //~ instead: println!("{}", copy[0]);
    Ok(())
}
