//! Destroys a communicator twice.

use ascendcl::collective::Comm;
use ascendcl::{Npu, Result};

fn wrong(comm: Comm<'_, '_, Npu<0>>) -> Result<()> {
    comm.destroy()?; //~ mistake
    comm.destroy()
}

fn main() {
    let _ = wrong;
}
