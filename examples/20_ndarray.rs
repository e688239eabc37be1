//! How do I use matrices of the crate `ndarray`?
//!
//! `aclrtMemcpy`, `aclnnMatmul`. Host memory is a slice of its elements. So `ndarray` makes a view of it without a copy, and
//! checks the shape.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::op::CubeMath;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceBuf, HostSide, Npu, Result, op};
use ndarray::{ArrayView2, array};

/// Copies a matrix to the device, one row behind the other.
fn upload<'dev>(
    current: Current<'_, 'dev, Npu<0>>,
    host: HostSide<'dev>,
    matrix: ArrayView2<'_, f32>,
) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
    let rows = matrix.as_standard_layout(); // copies a matrix that is transposed
    let rows = current.malloc_host_from(host, rows.as_slice().unwrap_or_default())?;
    current.memcpy(current.malloc(rows.len())?, &rows)
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    let left = array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let right = array![[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]];
    let product = acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let a = upload(current, host, left.t())?;
        let b = upload(current, host, right.t())?;
        let (a, b) = (a.tensor(&[2, 3])?, b.tensor(&[3, 2])?);
        let out = current.malloc(4)?.into_tensor(&[2, 2])?;
        let out = op::matmul(current, &a, &b, out, CubeMath::Keep)?.run(&mut stream)?;
        let mut back = current.malloc_host::<f32>(host, 4)?;
        current.memcpy(&mut back, &out)?;
        Ok(ArrayView2::from_shape((2, 2), &back).map(|view| view.to_owned()))
    })??;
    println!("{product}");
    assert_eq!(product, left.t().dot(&right.t()));
    Ok(())
}
