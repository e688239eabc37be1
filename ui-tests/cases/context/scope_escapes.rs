//! Keeps a scope beyond its end.
#![allow(unused)]

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, numbers: &[u32]) -> Result<()> {
    let scope = current.scope(|scope| scope)?; //~ mistake
    let lease = scope.lend(numbers); //~ mistake
    //~ instead: let lease = current.scope(|scope| scope.lend(numbers).into_inner())?;
    Ok(())
}
