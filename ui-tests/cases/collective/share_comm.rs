//! Shares a communicator between two threads.

use ascendcl::collective::Comm;
use ascendcl::Npu;

fn wrong(comm: &Comm<'_, '_, Npu<0>>) -> u32 {
    std::thread::scope(|scope| { //~ mistake
        let size = scope.spawn(|| comm.ranks().size()); //~ mistake
        size.join().unwrap_or(0) //~ mistake
    }) //~ mistake
    //~ instead: comm.ranks().size()
}

fn main() {
    let _ = wrong;
}
