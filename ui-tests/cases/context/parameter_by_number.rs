//! Sets a parameter of a context that contexts do not have.

use ascendcl::{Current, Npu, Result, SysParam};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.set_sys_param(3, 1) //~ mistake
    //~ instead: current.set_sys_param(SysParam::Deterministic, 1)
}

fn main() {
    let _ = wrong;
    let _ = SysParam::Deterministic;
}
