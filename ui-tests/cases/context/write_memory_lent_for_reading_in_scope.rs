//! Writes to memory in the scope in which the device may be reading it.

use ascendcl::{Current, Npu, Result, Stream};

fn wrong(current: Current<'_, '_, Npu<0>>, stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
    let mut numbers = vec![7_u32; 16];
    current.scope(|scope| {
        let lent = stream.adopt(scope.lend(&numbers[..]));
        numbers[0] = 1; //~ mistake
        drop(lent);
    })?;
    //~ instead: numbers[0] = 1;
    Ok(())
}
