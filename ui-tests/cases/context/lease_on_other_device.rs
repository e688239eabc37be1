//! Gives memory to a stream of another device than the one that the scope waits for.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    on_0: Current<'_, '_, Npu<0>>,
    stream_of_0: &Stream<'_, '_, Npu<0>>,
    stream_of_1: &Stream<'_, '_, Npu<1>>,
    numbers: &[u32],
) -> Result<()> {
    on_0.scope(|scope| {
        let _lent = stream_of_1.adopt(scope.lend(numbers)); //~ mistake
        //~ instead: let _lent = stream_of_0.adopt(scope.lend(numbers));
    })
}
