//! Lends memory twice for writing.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: &mut [u32],
) -> Result<()> {
    //~ instead: let (left, right) = numbers.split_at_mut(8);
    current.scope(|scope| {
        let first = stream.adopt(scope.lend(&mut numbers[..])); //~ mistake
        let second = stream.adopt(scope.lend(&mut numbers[..])); //~ mistake
        //~ instead: let first = stream.adopt(scope.lend(left));
        //~ instead: let second = stream.adopt(scope.lend(right));
        drop((first, second));
    })
}
