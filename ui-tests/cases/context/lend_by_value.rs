//! Lends a vector by value.
#![allow(unused)]

use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>, numbers: Vec<u32>) -> Result<()> {
    current.scope(|scope| {
        let lease = scope.lend(numbers); //~ mistake
        //~ instead: let lease = scope.lend(&numbers[..]);
    })
}
