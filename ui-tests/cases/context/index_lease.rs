//! Reads the elements of lent memory.

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, numbers: &[u32]) -> Result<u32> {
    current.scope(|scope| {
        scope.lend(numbers)[0] //~ mistake
        //~ instead: scope.lend(numbers).into_inner()[0]
    })
}
