//! Workspaces: each is freed after the next wait for its stream, and one can serve many operators.

use ascendcl::op::{self, Workspaces};
use ascendcl::{Npu, StreamName, leaks, release_failures};

use crate::common::{bound, calls, isolated};
use crate::op_table::{download, upload};

type D = Npu<0>;

enum Other {}
impl StreamName for Other {}

isolated! {
    // The stream's own waits free dropped workspaces: no call waits for the device here.
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_loop_that_drops_its_workspaces_does_not_grow() {
        bound!(acl, device: D, current, stream);
        let mut other = current.create_stream::<Other>().unwrap();
        let a = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 1).unwrap());
        let row = stream.adopt(current.memset(current.malloc::<i32>(3).unwrap(), 2).unwrap());
        let mut out = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap());
        let mut blocks = Vec::new();
        for _ in 0..4 {
            let (a, row) = (a.tensor(&[2, 3]).unwrap(), row.tensor(&[3]).unwrap());
            let plan = op::add(current, &a, &row, 1, out.tensor_mut(&[2, 3]).unwrap()).unwrap();
            assert!(plan.workspace_size() > 0);
            drop(plan.launch(&mut stream).unwrap().workspace);
            // Another stream's wait proves nothing about this one.
            other.synchronize().unwrap();
            blocks.push(ascendcl::emulator::live().device_blocks);
            stream.synchronize().unwrap();
            blocks.push(ascendcl::emulator::live().device_blocks);
        }
        assert_eq!(blocks, [4, 3, 4, 3, 4, 3, 4, 3]);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn one_workspace_serves_many_operators() {
        bound!(acl with journal, side, device: D, current, stream);
        let a = stream.adopt(upload(current, side, &[1, 2, 3, 4, 5, 6]));
        let row = stream.adopt(upload(current, side, &[10, 20, 30]));
        let mut out = stream.adopt(upload(current, side, &[0; 6]));
        let mut workspaces = Workspaces::new();
        assert_eq!(workspaces.bytes(), 0);
        let before = (calls("aclrtMalloc"), calls("aclrtFree"));
        for _ in 0..8 {
            let (a, row) = (a.tensor(&[2, 3]).unwrap(), row.tensor(&[3]).unwrap());
            let plan = op::add(current, &a, &row, 1, out.tensor_mut(&[2, 3]).unwrap()).unwrap();
            plan.launch_in(&mut stream, &mut workspaces).unwrap();
        }
        assert!(workspaces.bytes() > 0);
        assert_eq!((calls("aclrtMalloc"), calls("aclrtFree")), (before.0 + 1, before.1));
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(out)), [11, 22, 33, 14, 25, 36]);
        drop((idle.take(a), idle.take(row)));
        drop(workspaces);
        assert_eq!(ascendcl::emulator::live().device_blocks, 1);
        stream.synchronize().unwrap();
        assert_eq!(ascendcl::emulator::live().device_blocks, 0);
    }

    // An operator that is too large for the workspace gets a larger one, while the earlier operator has its own.
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_workspace_grows_while_it_is_in_use() {
        bound!(acl, side, device: D, current, stream);
        let mut workspaces = Workspaces::default();
        let mut sums = Vec::new();
        for len in [2usize, 4096, 2] {
            let a = stream.adopt(upload(current, side, &vec![1i32; len]));
            let one = stream.adopt(upload(current, side, &[2]));
            let out = stream.adopt(current.malloc::<i32>(len).unwrap());
            let (left, right) = (a.tensor(&[len]).unwrap(), one.tensor(&[]).unwrap());
            let plan = op::add(current, &left, &right, 1, out.into_tensor(&[len]).unwrap()).unwrap();
            sums.push(plan.launch_in(&mut stream, &mut workspaces).unwrap());
        }
        let idle = stream.synchronize().unwrap();
        for sum in sums {
            let sum = download(current, side, &idle.take(sum));
            assert!(sum.iter().all(|number| *number == 3), "{sum:?}");
        }
        if let Some(workspace) = workspaces.into_inner() {
            idle.take(workspace).free().unwrap();
        }
        assert_eq!((leaks(), release_failures()), (0, 0));
    }

    fn a_blocking_run_uses_a_workspace_again() {
        bound!(acl, side, device: D, current, stream);
        let mut workspaces = Workspaces::new();
        let (a, b) = (upload(current, side, &[1.0f32, 2.0]), upload(current, side, &[0.5]));
        let (a, b) = (a.tensor(&[2]).unwrap(), b.tensor(&[]).unwrap());
        for _ in 0..3 {
            let out = current.malloc(2).unwrap().into_tensor(&[2]).unwrap();
            let plan = op::mul(current, &a, &b, out).unwrap();
            let out = plan.run_in(&mut stream, &mut workspaces).unwrap();
            assert_eq!(download(current, side, &out), [0.5, 1.0]);
        }
    }

    // The second allocation is the workspace's.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMalloc#4=207001"]
    fn a_workspace_without_memory_is_an_error_and_releases_everything() {
        bound!(acl, device: D, current, stream);
        let a = current.memset(current.malloc::<i32>(6).unwrap(), 1).unwrap();
        let row = current.memset(current.malloc::<i32>(3).unwrap(), 2).unwrap();
        let out = current.malloc::<i32>(6).unwrap().into_tensor(&[2, 3]).unwrap();
        let plan = op::add(current, &a.tensor(&[2, 3]).unwrap(), &row.tensor(&[3]).unwrap(), 1, out).unwrap();
        let error = plan.run(&mut stream).unwrap_err();
        assert_eq!(error.code(), Some(207_001), "{error}");
        assert_eq!(ascendcl::emulator::live().device_blocks, 2);
        assert_eq!((leaks(), release_failures()), (0, 0));
    }
}
