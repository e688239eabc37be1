// Adds up the numbers of two devices.

use std::thread;

use ascendcl::collective::{RootInfo, Sum, World};
use ascendcl::{Acl, Npu, Result, stream::Main};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let root = acl.on::<Npu<0>, _>(0, |current| current.root_info(2))?;
    thread::scope(|scope| {
        let other = scope.spawn(|| rank::<1>(&acl, &root, &[4.0, 5.0, 6.0]));
        rank::<0>(&acl, &root, &[1.0, 2.0, 3.0])?;
        other.join().unwrap()
    })
}

fn rank<const N: usize>(acl: &Acl, root: &RootInfo, part: &[f32]) -> Result<()> {
    let host = acl.host()?;
    acl.on::<Npu<N>, _>(N as u32, |current| {
        let comm = current.comm_init_root_info::<World>(root, N as u32)?;
        let mut stream = current.create_stream::<Main>()?;
        let numbers = stream.malloc_host_from(host, part)?;
        let numbers = stream.memcpy_async(stream.malloc(3)?, &numbers)?;
        let sum = stream.malloc(3)?;
        let comm = stream.adopt(comm);
        let sum = stream.with(&comm).all_reduce(Sum, &numbers, sum)?;
        let result = stream.memcpy_async(stream.malloc_host(host, 3)?, &sum)?;
        println!("{:?}", &stream.synchronize()?.take(result)[..]);
        Ok(())
    })
}
