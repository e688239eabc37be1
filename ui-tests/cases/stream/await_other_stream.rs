//! Awaits memory on a stream that does not have it.

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream, StreamName};

enum Second {}
impl StreamName for Second {}

async fn wrong(
    mut first: Stream<'_, '_, Npu<0>, Main>,
    mut second: Stream<'_, '_, Npu<0>, Second>,
) -> Result<()> {
    let zeros = first.memset_async(first.malloc::<u8>(4)?, 0)?;
    let zeros = second.completed(zeros).await?; //~ mistake
    //~ instead: let zeros = first.completed(zeros).await?;
    first.synchronize()?.verify(zeros).free()
}
