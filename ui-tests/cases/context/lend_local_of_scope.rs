//! Lends memory that ends before the scope has waited for the device.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    //~ instead: let numbers = vec![7_u32; 16];
    current.scope(|scope| {
        let numbers = vec![7_u32; 16]; //~ mistake
        let lent = stream.adopt(scope.lend(&numbers[..])); //~ mistake
        //~ instead: let lent = stream.adopt(scope.lend(&numbers[..]));
        drop(lent);
    })
}
