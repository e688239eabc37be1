//! Reads the first number of memory that a copy may still be writing.

use ascendcl::stream::Main;
use ascendcl::{HostBuf, Npu, Queued, Result, Stream};

fn wrong<'dev>(
    mut stream: Stream<'_, 'dev, Npu<0>, Main>,
    result: Queued<'dev, (Npu<0>, Main), HostBuf<'dev, [f32]>>,
) -> Result<()> {
    //~ instead: let result = stream.synchronize()?.take(result);
    println!("{:?}", result.first()); //~ mistake
    //~ instead: println!("{:?}", result.first());
    stream.synchronize().map(drop)
}
