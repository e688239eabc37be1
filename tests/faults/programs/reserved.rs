//! Memory at reserved addresses: it grows idle, queued and by an operator, shrinks, and is dropped while it is queued.

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, op};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let mut numbers = current.reserve_mem_address::<f32>(host, 1 << 21)?;
        current.memset(numbers.grow(current, 1 << 19)?, 0)?;
        numbers.map_mem(current, 1 << 20)?;
        let mut numbers = stream.adopt(numbers);
        let token = stream.malloc_host_from(host, &[1.0_f32; 64])?;
        stream.memcpy_async(numbers.grow(current, 64)?, &token)?;
        let x = numbers.slice(0..64)?;
        let mut sums = stream.adopt(current.reserve_mem_address::<f32>(host, 1000)?);
        let next = sums.grow(current, 64)?.into_tensor(&[64])?;
        let x = x.tensor(&[64])?;
        op::add(current, &x, &x, 1.0, next)?
            .launch(&mut stream)?
            .into_output();
        drop(sums);
        let idle = stream.synchronize()?;
        let mut numbers = idle.take(numbers);
        numbers.truncate(64);
        numbers.unmap_mem()?;
        numbers.free()
    })
}
