//! Looks at lent memory that a stream has.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: &[u32],
) -> Result<usize> {
    current.scope(|scope| {
        let lent = stream.adopt(scope.lend(numbers));
        Ok(lent.into_inner().len()) //~ mistake
        //~ instead: Ok(stream.synchronize()?.take(lent).into_inner().len())
    })?
}
