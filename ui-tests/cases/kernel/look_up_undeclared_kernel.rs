//! Looks up a kernel by a type that declares none.

use ascendcl::Npu;
use ascendcl::kernel::Binary;

struct Exp; //~ mistake
//~ instead: ascendcl::kernel! { struct Exp = exp(x: ascendcl::kernel::InOut<f32>); }

fn wrong(binary: &Binary<'_, '_, Npu<0>>) {
    // SAFETY: the binary was built from `exp.cpp`, whose kernel `exp` is the declared one.
    let exp = unsafe { binary.kernel::<Exp>() };
    drop(exp);
}
