//! Keeps lent memory that a stream has beyond the scope in which it is lent.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &Stream<'_, '_, Npu<0>>,
    numbers: &[u32],
) -> Result<()> {
    let mut kept = Vec::new(); //~ mistake
    current.scope(|scope| {
        //~ instead: let mut kept = Vec::new();
        kept.push(stream.adopt(scope.lend(numbers))); //~ mistake
        //~ instead: kept.push(stream.adopt(scope.lend(numbers)));
    })
}
