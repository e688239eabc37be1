//! Uses lent memory on another stream than the one that it was handed to.

use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Npu, Queued, Result, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    up: &Stream<'_, '_, Npu<0>, Upload>,
    main: &mut Stream<'_, '_, Npu<0>, Main>,
    target: &mut Queued<'_, (Npu<0>, Main), DeviceBuf<'_, Npu<0>, [u32]>>,
    numbers: &[u32],
) -> Result<()> {
    current.scope(|scope| {
        let lent = up.adopt(scope.lend(numbers)); //~ mistake
        //~ instead: let lent = main.adopt(scope.lend(numbers));
        main.memcpy_async(target, &lent) //~ mistake
        //~ instead: main.memcpy_async(target, &lent)
    })?
}
