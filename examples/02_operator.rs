//! How do I run an operator?
//!
//! `aclCreateTensor`, `aclCreateScalar`, `aclnnAddGetWorkspaceSize`, `aclrtMalloc` of the workspace, `aclnnAdd`,
//! `aclrtSynchronizeStream`. A tensor is a buffer with a shape. Shapes broadcast as in NumPy. The first phase returns
//! a plan, which runs once. `run` allocates the workspace, waits for the operator and frees the workspace.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, op};

fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let rows = current.malloc_host_from(host, &[1, 2, 3, 10, 20, 30])?;
        let rows = current.memcpy(current.malloc::<i32>(6)?, &rows)?;
        let offsets = current.malloc_host_from(host, &[100, 200, 300])?;
        let offsets = current.memcpy(current.malloc::<i32>(3)?, &offsets)?;

        // rows + 2 * offsets, for each of the two rows.
        let (rows, offsets) = (rows.tensor(&[2, 3])?, offsets.tensor(&[3])?);
        let out = current.malloc(6)?.into_tensor(&[2, 3])?;
        let sums = op::add(current, &rows, &offsets, 2, out)?.run(&mut stream)?;

        let mut back = current.malloc_host::<i32>(host, 6)?;
        current.memcpy(&mut back, &sums)?;
        println!("{:?}", &back[..]);
        Ok(())
    })
}
