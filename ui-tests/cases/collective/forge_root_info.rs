//! Makes a root information that no rank has made.

use ascendcl::collective::RootInfo;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<RootInfo> {
    let _ = current;
    Ok(RootInfo { size: 2, raw: [0; 4108] }) //~ mistake
    //~ instead: current.root_info(2)
}

fn main() {
    let _ = wrong;
}
