//! Allocates from a pool in the order of the default stream.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let pool = current.create_pool(1 << 30)?;
    let stream = current.default_stream()?; //~ mistake
    //~ instead: let stream = current.create_stream::<ascendcl::stream::Main>()?;
    let batch = stream.malloc_from::<f32>(&pool, 16)?;
    drop(batch);
    Ok(())
}
