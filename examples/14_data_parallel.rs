//! How do several devices share a computation?
//!
//! Each rank has a thread, a device and a part of the numbers. It computes with its part, and one all-reduce adds up what
//! all ranks have. If a rank fails, the other one would wait for it. So the process ends, after both had time to say why.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]
#![expect(clippy::print_stderr, reason = "a rank says why it ends the process")]

use std::time::Duration;
use std::{process, thread};

use ascendcl::collective::{RootInfo, Sum, World};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, op};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let root = acl.on::<Npu<0>, _>(0, |current| current.root_info(2))?;
    let sums = thread::scope(|threads| {
        threads.spawn(|| rank::<1>(&acl, &root, &[4.0, 5.0, 6.0]));
        rank::<0>(&acl, &root, &[1.0, 2.0, 3.0])
    });
    println!("{sums:?}");
    acl.finalize()
}

/// Squares the numbers of the rank `N` on the device `N`, and adds up the squares of all ranks.
fn rank<const N: usize>(acl: &Acl, root: &RootInfo, part: &[f32]) -> Vec<f32> {
    let sums = acl.on::<Npu<N>, _>(N as u32, |current| {
        let comm = current.comm_init_root_info::<World>(root, N as u32)?;
        let mut stream = current.create_stream::<Main>()?;
        let comm = stream.adopt(comm);
        let x = stream.malloc_host_from(acl.host()?, part)?;
        let x = stream.memcpy_async(stream.malloc(3)?, &x)?;
        let (x, out) = (x.tensor(&[3])?, stream.malloc(3)?.into_tensor(&[3])?);
        let plan = op::mul(current, &x, &x, out)?;
        let mut squares = plan.launch(&mut stream)?.into_output();
        stream.with(&comm).all_reduce_in_place(Sum, &mut squares)?;
        let sums = stream.memcpy_async(stream.malloc_host(acl.host()?, 3)?, &squares)?;
        Ok(stream.synchronize()?.take(sums).to_vec())
    });
    sums.unwrap_or_else(|error| {
        eprintln!("rank {N}: {error}");
        thread::sleep(Duration::from_millis(200));
        process::exit(1)
    })
}
