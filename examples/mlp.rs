//! A small multilayer perceptron: it reads the digits of a display with seven segments.
//!
//! `relu(x * W + b) * V`, by `aclnnMatmul`, `aclnnAdd` and `aclnnRelu`. Each row of `x` is a digit that is shown. The
//! bias `b` broadcasts over the rows. Each hidden unit is 1 for one digit and 0 for the others.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::op::{CubeMath, add, matmul, relu};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu};

/// The lit segments of each digit from 0 to 9.
const DIGITS: [u8; 10] = [119, 18, 93, 91, 58, 107, 111, 82, 127, 123];

fn main() -> ascendcl::Result<()> {
    let lit = |digit: u8, segment: u8| f32::from(digit >> segment & 1);
    // Every third digit: 0, 3, 6, 9, 2, ...
    let shown = DIGITS.into_iter().cycle().step_by(3).take(10);
    let x: Vec<_> = shown.flat_map(|d| (0..7).map(move |s| lit(d, s))).collect();
    // A lit segment counts 1 where the digit has it, else -1. The bias leaves 1 of the most that a digit can reach.
    let weigh = |segment| DIGITS.map(|digit| 2.0 * lit(digit, segment) - 1.0);
    let w: Vec<_> = (0..7).flat_map(weigh).collect();
    let b = DIGITS.map(|digit| 1.0 - digit.count_ones() as f32);
    let v: Vec<_> = (0..10_u8).map(f32::from).collect();

    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        let upload = |numbers: &[f32]| {
            let staged = current.malloc_host_from(host, numbers)?;
            current.memcpy(current.malloc(numbers.len())?, &staged)
        };
        let out = |rows, columns| {
            current
                .malloc(rows * columns)?
                .into_tensor(&[rows, columns])
        };
        let (x, w, b, v) = (upload(&x)?, upload(&w)?, upload(&b)?, upload(&v)?);

        let (x, w) = (x.tensor(&[10, 7])?, w.tensor(&[7, 10])?);
        let h = matmul(current, &x, &w, out(10, 10)?, CubeMath::Keep)?.run(&mut stream)?;
        let (h, b) = (h.tensor(&[10, 10])?, b.tensor(&[10])?);
        let h = add(current, &h, &b, 1.0, out(10, 10)?)?.run(&mut stream)?;
        let h = relu(current, &h.tensor(&[10, 10])?, out(10, 10)?)?.run(&mut stream)?;
        let (h, v) = (h.tensor(&[10, 10])?, v.tensor(&[10, 1])?);
        let digits = matmul(current, &h, &v, out(10, 1)?, CubeMath::Keep)?.run(&mut stream)?;

        let mut read = current.malloc_host::<f32>(host, 10)?;
        current.memcpy(&mut read, &digits)?;
        println!("{:?}", &read[..]);
        Ok(())
    })
}
