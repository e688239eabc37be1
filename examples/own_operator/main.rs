//! An operator that this crate lacks and the program declares: `aclnnPrelu` of CANN.
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
use ascendcl::op::{In, Operator, Out};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, sys::Origin};

/// Multiplies the numbers that are not positive by `weight`, of which there is one for all or one for each channel.
struct Prelu<T>(PhantomData<T>);
// SAFETY: these are the parameters in `aclnnop/aclnn_prelu.h` (CANN 8.1), and all of `out` is written.
unsafe impl<T: Floating> Operator for Prelu<T> {
    ascendcl::operator!(aclnnPrelu(x: In<T>, weight: In<T>, out: Out<T>));
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
            aclnnPrelu(x: tensor, weight: tensor, out: out_tensor) =
                elementwise!(|x, weight| if x > W::ZERO { x } else { weight * x })
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
    let quarter = current.malloc_host_from(host, &[0.25_f32])?;
    let weight = current.memcpy(current.malloc(1)?, &quarter)?;
    let out = current.malloc(6)?.into_tensor(&[2, 3])?;
    let plan = Prelu::plan(current, (&x.tensor(&[2, 3])?, &weight.tensor(&[1])?, out))?;
    println!("{plan:?}");
    let out = plan.run(&mut stream)?;
    current.memcpy(&mut numbers, &out)?;
    println!("{:?}", &numbers[..]);
    Ok(())
}
