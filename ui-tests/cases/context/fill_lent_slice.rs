//! Has the device fill a slice of Rust that was lent to it.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    stream: &mut Stream<'_, '_, Npu<0>>,
    numbers: &mut [u32],
) -> Result<()> {
    current.scope(|scope| {
        let mut lent = stream.adopt(scope.lend(&mut *numbers)); //~ mistake
        stream.memset_async(&mut lent, 0) //~ mistake
        //~ instead: numbers.fill(0);
        //~ instead: let _ = (scope, &stream);
        //~ instead: Ok(())
    })?
}
