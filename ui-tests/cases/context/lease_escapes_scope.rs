//! Keeps lent memory beyond the scope in which it is lent.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, numbers: &[u32]) -> Result<usize> {
    let lease = current.scope(|scope| scope.lend(numbers))?; //~ mistake
    Ok(lease.into_inner().len()) //~ mistake
    //~ instead: current.scope(|scope| scope.lend(numbers).into_inner().len())
}
