//! Returns memory of a pool that ends with the function.
#![allow(unused)]

use ascendcl::memory::{Pool, Pooled, Uninit};
use ascendcl::stream::Main;
use ascendcl::{Buf, Current, Npu, Queued, Result, Stream};

type Batch<'dev, 'pool> = Queued<'dev, (Npu<0>, Main), Buf<'pool, Pooled<Npu<0>>, [f32], Uninit>>;

fn wrong<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &Stream<'_, 'dev, Npu<0>, Main>,
    pool: &'dev Pool<'dev, Npu<0>>,
) -> Result<Batch<'dev, 'dev>> {
    let pool = current.create_pool(1 << 30)?; //~ mistake
    stream.malloc_from(&pool, 16) //~ mistake
    //~ instead: stream.malloc_from(pool, 16)
}
