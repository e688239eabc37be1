//! Reads memory of a pool on another stream than the one that has allocated it.

use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    second: &mut Stream<'_, 'dev, Npu<0>, Second>,
) -> Result<()> {
    let mut event = current.create_event::<Order>()?;
    let pool = current.create_pool(1 << 30)?;
    let zeros = stream.memset_async(stream.malloc_from::<f32>(&pool, 16)?, 0)?;
    let back = second.malloc_host(host, 16)?;
    second.memcpy_async(back, &zeros)?; //~ mistake
    //~ instead: let zeros = stream.handoff(second, &mut event, zeros)?;
    //~ instead: second.memcpy_async(back, &zeros)?;
    Ok(())
}
