//! An operator that this crate lacks and the program declares: `aclnnSoftshrink` of CANN.
//!
//! ```text
//! cargo run --example own_operator
//! cargo run --example own_operator -- --without-definition    the error of an operator that the backend lacks
//! ```
//!
//! A custom operator of a `libcust_opapi.so` is declared in the same way. On a card CANN has the operator. The
//! emulator lacks it, so the program defines its arithmetic.

use std::marker::PhantomData;

use ascendcl::bounds::Floating;
use ascendcl::emulator::{elementwise, operator as emulated};
use ascendcl::op::{In, Operator, Out, Scalar};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, sys::Origin};

/// Moves each number towards 0 by `lambda`: `out = 0` where `x` is nearer to 0 than that.
struct Softshrink<T>(PhantomData<T>);
// SAFETY: these are the parameters in `aclnnop/aclnn_softshrink.h` (CANN 8.1), and all of `out` is written.
unsafe impl<T: Floating> Operator for Softshrink<T> {
    ascendcl::operator!(aclnnSoftshrink(x: In<T>, lambda: Scalar<f32>, out: Out<T>));
}

#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks to its user"
)]
fn main() -> ascendcl::Result<()> {
    let acl = Acl::from_env()?;
    let without_definition = std::env::args().any(|argument| argument == "--without-definition");
    if matches!(acl.backend(), Origin::Rust(_)) && !without_definition {
        let definition = ascendcl::emulator::operator!(
            aclnnSoftshrink(x: tensor, lambda: scalar, out: out_tensor) =
                elementwise!(|x, lambda| (x - lambda).larger(W::ZERO) - (-x - lambda).larger(W::ZERO))
        );
        // SAFETY: these are the parameters in the header, and all of `out` is written.
        unsafe { emulated::register(definition) };
    }
    let Some(host) = acl.run_mode()?.host() else {
        eprintln!("this program runs on the host of a card");
        return Ok(());
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;

    let mut numbers = current.malloc_host::<f32>(host, 6)?;
    numbers.copy_from_slice(&[-4.0, -2.0, -1.0, 1.0, 2.0, 3.0]);
    let x = current.memcpy(current.malloc(6)?, &numbers)?;
    let out = current.malloc(6)?.into_tensor(&[2, 3])?;
    let plan = Softshrink::plan(current, (&x.tensor(&[2, 3])?, 1.5, out))?;
    println!("{plan:?}");
    let out = plan.run(&mut stream)?;
    current.memcpy(&mut numbers, &out)?;
    println!("{:?}", &numbers[..]);
    Ok(())
}
