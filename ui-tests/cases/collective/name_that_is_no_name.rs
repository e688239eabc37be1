//! Names a communicator by a type that is no name.

use ascendcl::collective::RootInfo;
use ascendcl::{Current, Npu, Result};

enum Gradients {}
//~ instead: impl ascendcl::collective::CommName for Gradients {}

fn wrong(current: Current<'_, '_, Npu<0>>, root: &RootInfo) -> Result<()> {
    current.comm_init_root_info::<Gradients>(root, 0).map(drop) //~ mistake
    //~ instead: current.comm_init_root_info::<Gradients>(root, 0).map(drop)
}

fn main() {
    let _ = wrong;
}
