//! Memory of a pool: freed in the order of its stream, moved to another one, idle, and left behind on the way out of an error;
//! copies in a batch, and a reduction.

use ascendcl::event::Order;
use ascendcl::queue::ReduceKind;
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, StreamName};

enum Second {}
impl StreamName for Second {}

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let pool = current.create_pool(1 << 30)?;
        pool.set_release_threshold(current, 1 << 30)?;
        let mut stream = current.create_stream::<Main>()?;
        let mut second = current.create_stream::<Second>()?;
        let mut event = current.create_event::<Order>()?;
        let numbers = stream.malloc_host_from(host, &[1.0_f32; 64])?;
        let mut sum = stream.memset_async(stream.malloc_from::<f32>(&pool, 64)?, 0)?;
        for _ in 0..3 {
            let fresh = [(stream.malloc_from(&pool, 64)?, &numbers)];
            for batch in stream.memcpy_batch_async(fresh)? {
                stream.reduce_async(&mut sum, &batch, ReduceKind::Sum)?;
            }
        }
        let moved = stream.memset_async(stream.malloc_from::<u8>(&pool, 64)?, 1)?;
        drop(stream.handoff(&mut second, &mut event, moved)?);
        let back = stream.memcpy_async(stream.malloc_host(host, 64)?, &sum)?;
        let idle = stream.synchronize()?;
        let (sum, mut back) = (idle.take(sum), idle.take(back));
        assert_eq!(back[..], [3.0; 64]);
        current.memcpy_batch([(&mut back, &sum)])?;
        sum.free()?;
        second.synchronize()?;
        pool.trim_to(current, pool.used(current)?.try_into().unwrap_or(0))?;
        pool.destroy(current)
    })
}
