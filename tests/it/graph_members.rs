//! Kernels and communicators in graphs.

use ascendcl::collective::{Sum, World};
use ascendcl::emulator::kernel::{View, ViewMut, register};
use ascendcl::kernel::{In, InOut};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Result, kernel};

use crate::collective::root;
use crate::common::{acl, assert_clean, host, isolated};

kernel! { struct AddTo = add_to(x: In<u32>, y: InOut<u32>) where x == y; }

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_recording_launches_the_kernels_of_its_graph() {
        register(ascendcl::emulator::kernel!(add_to(x: View<u32>, y: ViewMut<u32>) |block| {
            for i in block.part(64) {
                y.set(i, x.get(i) + y.get(i));
            }
        }));
        let acl = acl();
        let side = host(&acl);
        acl.on::<Npu<0>, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let binary = current.load_binary_from(b"the registered kernel stands for it")?;
            // SAFETY: registered above.
            let add_to = unsafe { binary.kernel::<AddTo>() }?;
            let numbers = || current.memset_d32(current.malloc::<u32>(64)?, 2);
            let mut graph = stream.capture((add_to, numbers()?, numbers()?, numbers()?), |recording, (add_to, x, mut y, mut z)| {
                recording.launch(add_to, 2, (&x, &mut y))?;
                recording.fork((add_to, &x, &mut z), |_, side, (add_to, x, z)| side.launch(add_to, 8, (&x, z)))
            })?;
            for _ in 0..3 {
                graph.launch(&mut stream)?;
            }
            let back = stream.memcpy_async(stream.malloc_host(side, 64)?, &graph.memory().2)?;
            let other = stream.memcpy_async(stream.malloc_host(side, 64)?, &graph.memory().3)?;
            let idle = stream.synchronize()?;
            assert_eq!((&idle.take(back)[..], &idle.take(other)[..]), (&[8; 64][..], &[8; 64][..]));
            drop(graph); // parked while the binary is loaded
            binary.unload()
        })
        .unwrap();
        assert_clean(&acl);
    }

    fn ranks_run_recorded_collectives() {
        fn rank<const N: usize>(acl: &Acl, root: &ascendcl::collective::RootInfo) -> Result<()> {
            acl.on::<Npu<N>, _>(N as u32, |current| {
                let side = acl.host()?;
                let mut stream = current.create_stream::<Main>()?;
                let comm = current.comm_init_root_info::<World>(root, N as u32)?;
                let numbers = current.memset_d32(current.malloc::<i32>(4)?, N as i32 + 1)?;
                let sums = current.memset(current.malloc::<i32>(4)?, 0)?;
                let mut graph = stream.capture((comm, numbers, sums), |recording, (comm, mut numbers, mut sums)| {
                    assert_eq!((comm.ranks().size(), comm.rank(1)?.number()), (2, 1));
                    recording.with(&comm).all_reduce(Sum, &numbers, &mut sums)?;
                    recording.memcpy_async(&mut numbers, &sums)
                })?;
                for _ in 0..3 {
                    graph.launch(&mut stream)?;
                }
                // More work of the communicator, in order with the runs.
                let (comm, numbers, mut sums) = graph.memory();
                stream.with(&comm).all_reduce(Sum, &numbers, &mut sums)?;
                let back = stream.memcpy_async(stream.malloc_host(side, 4)?, &sums)?;
                let idle = stream.synchronize()?;
                assert_eq!(idle.take(back)[..], [24; 4]);
                let (comm, ..) = idle.take(graph).destroy()?;
                comm.destroy()
            })
        }
        let acl = acl();
        let root = root(&acl, 2);
        std::thread::scope(|threads| {
            let other = threads.spawn(|| rank::<1>(&acl, &root));
            rank::<0>(&acl, &root).unwrap();
            other.join().unwrap().unwrap();
        });
        assert_clean(&acl);
    }
}
