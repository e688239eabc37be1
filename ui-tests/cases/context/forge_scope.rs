//! Makes a scope that waits for nothing.
#![allow(unused)]

use ascendcl::scope::Scope;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, numbers: &[u32]) -> Result<usize> {
    let scope: Scope<'_, '_, Npu<0>> = Scope {}; //~ mistake
    Ok(scope.lend(numbers).into_inner().len()) //~ mistake
    //~ instead: current.scope(|scope| scope.lend(numbers).into_inner().len())
}
