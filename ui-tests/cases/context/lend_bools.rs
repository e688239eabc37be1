//! Lends memory whose elements cannot have every value that a device may write.
#![allow(unused)]

use ascendcl::{Current, Npu, Result};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    flags: &mut [bool], //~ mistake
    //~ instead: flags: &mut [u8],
) -> Result<()> {
    current.scope(|scope| {
        let lease = scope.lend(flags); //~ mistake
        //~ instead: let lease = scope.lend(flags);
    })
}
