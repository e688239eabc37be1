//! Sets a parameter of a context through AscendCL itself, which sets it for the whole process.

use ascendcl::{Acl, Current, Npu, Result, SysParam};

fn alone(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.set_sys_param(SysParam::Deterministic, 1)
}

fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
    alone(acl) //~ mistake
    //~ instead: acl.set_sys_param(SysParam::Deterministic, 0)?;
    //~ instead: alone(current)
}
