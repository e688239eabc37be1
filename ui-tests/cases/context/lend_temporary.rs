//! Lends a value that ends with the line.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let value = 7_u32;
    //~ instead: let numbers = vec![value; 16];
    current.scope(|scope| {
        drop(stream.adopt(scope.lend(&vec![value; 16][..]))); //~ mistake
        //~ instead: drop(stream.adopt(scope.lend(&numbers[..])));
    })
}
