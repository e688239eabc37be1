//! Lends memory for writing that is also lent for reading.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: &mut [u32],
) -> Result<()> {
    //~ instead: let (left, right) = numbers.split_at_mut(8);
    current.scope(|scope| {
        let from = stream.adopt(scope.lend(&numbers[..])); //~ mistake
        let to = stream.adopt(scope.lend(&mut numbers[..])); //~ mistake
        //~ instead: let from = stream.adopt(scope.lend(&*left));
        //~ instead: let to = stream.adopt(scope.lend(right));
        drop((from, to));
    })
}
