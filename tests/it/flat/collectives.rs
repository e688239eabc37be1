//! Loops of collectives: one rank, and two ranks as threads.

use std::sync::mpsc::channel;
use std::thread;

use ascendcl::collective::{RootInfo, Sum, World};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceTag, Npu, Result, Thread};

use crate::flat::{Given, Lines, drop_queued, loops, rounds};
use crate::loops::on_own_stream;

/// One sum over the ranks, with a communicator and a stream of its own.
fn sum<D: DeviceTag>(current: Current<'_, '_, D>, root: &RootInfo, rank: u32) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let comm = stream.adopt(current.comm_init_root_info::<World>(root, rank)?);
    let own = stream.memset_async(stream.malloc::<f32>(2)?, 0)?;
    let fresh = stream.malloc(2)?;
    drop(stream.with(&comm).all_reduce(Sum, &own, fresh)?);
    drop(own);
    stream.synchronize()?.take(comm).destroy()
}

loops! {
    fn one_rank(Given { current, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(4);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let root = current.root_info(1)?;
                let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0)?);
                lines.end()?;
                let own = stream.memset_async(stream.malloc::<f32>(2)?, 0)?;
                lines.end()?;
                let fresh = stream.malloc(2)?;
                let sum = stream.with(&comm).all_reduce(Sum, &own, fresh)?;
                lines.end()?;
                let idle = stream.synchronize()?;
                drop(idle.take(sum));
                lines.end()?;
                idle.take(comm).destroy()
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    // A root stays until its ranks have joined, so joins do not fail here.
    ["task:HcclAllReduce%10=507015,HcclAllReduce%10=4,HcclGetRootInfo%10=4,out-of-memory%5"]
    fn one_rank_that_fails(Given { current, .. }) {
        rounds(current, || {
            let _ = on_own_stream(current, |stream| {
                let root = current.root_info(1)?;
                let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0)?);
                let own = stream.memset_async(stream.malloc::<f32>(2)?, 0)?;
                let fresh = stream.malloc(2)?;
                stream.with(&comm).all_reduce(Sum, &own, fresh).map(drop)
            });
        });
    }

    // Communicators that come and go, on threads that stay.
    fn two_ranks(Given { acl, current, .. }) {
        let (roots, their_roots) = channel::<RootInfo>();
        let (done, is_done) = channel();
        let other = move || {
            let mut thread = Thread::claim().unwrap();
            let device = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
            let current = thread.set_current(&device).unwrap();
            while let Ok(root) = their_roots.recv() {
                sum(current, &root, 1).unwrap();
                done.send(()).unwrap();
            }
        };
        thread::scope(|threads| {
            threads.spawn(other);
            let roots = roots;
            rounds(current, || {
                let root = current.root_info(2).unwrap();
                roots.send(root.clone()).unwrap();
                sum(current, &root, 0).unwrap();
                is_done.recv().unwrap();
            });
        });
    }

    // One communicator for all rounds, and memory that is dropped while the other rank may be behind.
    fn two_ranks_with_one_communicator(Given { acl, current, .. }) {
        let root = current.root_info(2).unwrap();
        let (go, gone) = channel::<()>();
        let (done, is_done) = channel();
        let for_other = root.clone();
        let other = move || {
            let mut thread = Thread::claim().unwrap();
            let device = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let comm = stream.adopt(current.comm_init_root_info::<World>(&for_other, 1).unwrap());
            while gone.recv().is_ok() {
                let mut own = stream.memset_async(stream.malloc::<f32>(2).unwrap(), 0).unwrap();
                stream.with(&comm).all_reduce_in_place(Sum, &mut own).unwrap();
                drop(own);
                stream.synchronize().unwrap();
                done.send(()).unwrap();
            }
            stream.synchronize().unwrap().take(comm).destroy().unwrap();
        };
        thread::scope(|threads| {
            threads.spawn(other);
            let go = go;
            let mut stream = current.create_stream::<Main>().unwrap();
            let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0).unwrap());
            rounds(current, || {
                go.send(()).unwrap();
                let mut own = stream.memset_async(stream.malloc::<f32>(2).unwrap(), 0).unwrap();
                stream.with(&comm).all_reduce_in_place(Sum, &mut own).unwrap();
                drop(own);
                drop_queued(&mut stream).unwrap();
                stream.synchronize().unwrap();
                is_done.recv().unwrap();
            });
            drop(go);
            stream.synchronize().unwrap().take(comm).destroy().unwrap();
        });
    }
}
