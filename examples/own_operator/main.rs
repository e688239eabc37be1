//! An operator that the program declares: `aclnnAddCustom` of the tutorials of Ascend C.
//!
//! ```text
//! cargo run --example own_operator
//! cargo run --example own_operator -- --without-definition    the error of an operator that the backend lacks
//! ```
//!
//! On a card it is a custom operator of a `libcust_opapi.so`, and an operator of CANN that this crate lacks is declared in the
//! same way. The emulator lacks it, so the program defines its arithmetic.

use std::marker::PhantomData;

use ascendcl::bounds::Floating;
use ascendcl::emulator::{elementwise, operator as emulated};
use ascendcl::op::{In, Operator, Out};
use ascendcl::stream::Main;
use ascendcl::{Acl, Npu, Thread, sys::Origin};

/// The sum of two tensors.
struct AddCustom<T>(PhantomData<T>);
// SAFETY: these are the parameters in `aclnn_add_custom.h`, which is generated with the operator, and all of `z` is written.
unsafe impl<T: Floating> Operator for AddCustom<T> {
    ascendcl::operator!(aclnnAddCustom(x: In<T>, y: In<T>, z: Out<T>));
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
            aclnnAddCustom(x: tensor, y: tensor, z: out_tensor) = elementwise!(|x, y| x + y)
        );
        // SAFETY: these are the parameters in the header, and all of `z` is written.
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
    let quarters = current.malloc_host_from(host, &[0.25_f32; 6])?;
    let y = current.memcpy(current.malloc(6)?, &quarters)?;
    let sum = current.malloc(6)?.into_tensor(&[2, 3])?;
    let plan = AddCustom::plan(current, (&x.tensor(&[2, 3])?, &y.tensor(&[2, 3])?, sum))?;
    println!("{plan:?}");
    let sum = plan.run(&mut stream)?;
    current.memcpy(&mut numbers, &sum)?;
    println!("{:?}", &numbers[..]);
    Ok(())
}
