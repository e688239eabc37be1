//! Sends a communicator to another thread.

use ascendcl::collective::Comm;
use ascendcl::{Npu, Result};

fn wrong(comm: Comm<'_, '_, Npu<0>>) -> Result<()> {
    std::thread::scope(|scope| { //~ mistake
        let destroyed = scope.spawn(move || comm.destroy()); //~ mistake
        destroyed.join().unwrap_or(Ok(())) //~ mistake
    }) //~ mistake
    //~ instead: comm.destroy()
}

fn main() {
    let _ = wrong;
}
