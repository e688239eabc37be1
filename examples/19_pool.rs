//! How do I allocate memory for each batch, without a wait?
//!
//! `aclrtMemPoolCreate`, `aclrtMemPoolMallocAsync`, `aclrtMemPoolFreeAsync`. A stream allocates from a pool, and frees in its own
//! order what the program drops. So a loop holds the memory of one turn.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::memory::{Pool, Pooled};
use ascendcl::stream::Main;
use ascendcl::{Acl, Buf, Current, HostSide, Npu, Queued, Result, Stream, op};

type Batch<'dev, 'pool> = Queued<'dev, (Npu<0>, Main), Buf<'pool, Pooled<Npu<0>>, [f32]>>;

/// The sum of `batch` and itself, in memory of its own.
fn double<'dev, 'pool>(
    current: Current<'_, 'dev, Npu<0>>,
    stream: &mut Stream<'_, 'dev, Npu<0>, Main>,
    pool: &'pool Pool<'dev, Npu<0>>,
    batch: &Batch<'dev, 'pool>,
) -> Result<Batch<'dev, 'pool>> {
    let x = batch.tensor(&[1024])?;
    let out = stream.malloc_from(pool, 1024)?.into_tensor(&[1024])?;
    Ok(op::add(current, &x, &x, 1.0, out)?
        .launch(stream)?
        .into_output())
}

fn serve(current: Current<'_, '_, Npu<0>>, host: HostSide<'_>) -> Result<()> {
    let pool = current.create_pool(256 << 20)?; // an error before CANN of 2026, and on most products
    let mut stream = current.create_stream::<Main>()?;
    let numbers = stream.malloc_host_from(host, &[1.0_f32; 1024])?;
    let mut answer = stream.malloc_host_from(host, &[0.0_f32; 1024])?;
    for _ in 0..4 {
        let batch = stream.memcpy_async(stream.malloc_from(&pool, 1024)?, &numbers)?;
        let doubled = double(current, &mut stream, &pool, &batch)?;
        stream.memcpy_async(&mut answer, &doubled)?;
        // Here the stream frees both behind the copy, and the next turn gets their memory.
    }
    let sum: f32 = stream.synchronize()?.take(answer).iter().sum();
    println!("{sum}, and {} bytes for 8 buffers", pool.reserved(current)?);
    pool.destroy(current)
}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| serve(current, host))
}
