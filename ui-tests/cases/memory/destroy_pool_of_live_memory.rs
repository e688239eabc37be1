//! Destroys a pool while a stream has memory of it.

use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>, Main>) -> Result<()> {
    let pool = current.create_pool(1 << 30)?;
    let zeros = stream.memset_async(stream.malloc_from::<f32>(&pool, 16)?, 0)?;
    pool.destroy(current)?; //~ mistake
    drop(zeros);
    //~ instead: pool.destroy(current)?;
    Ok(())
}
