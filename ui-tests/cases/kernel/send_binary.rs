//! Sends a binary to another thread.

use ascendcl::kernel::Binary;
use ascendcl::Npu;

fn wrong(binary: Binary<'_, '_, Npu<0>>) {
    std::thread::scope(|threads| {
        threads.spawn(move || drop(binary)); //~ mistake
        //~ instead: drop(binary);
    });
}
