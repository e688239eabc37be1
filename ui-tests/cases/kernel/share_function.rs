//! Launches a kernel on two threads.

use ascendcl::Npu;
use ascendcl::kernel::{Function, InOut};

ascendcl::kernel! { struct Clear = clear(x: InOut<u32>); }

fn wrong(function: Function<'_, Npu<0>, Clear>) {
    std::thread::scope(|threads| {
        threads.spawn(|| println!("{function:?}")); //~ mistake
        //~ instead: println!("{function:?}");
    });
}
