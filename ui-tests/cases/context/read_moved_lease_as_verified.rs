//! Reads lent memory because the stream that it was handed to has succeeded.

use ascendcl::queue::After;
use ascendcl::scope::Lease;
use ascendcl::stream::{Idle, Main};
use ascendcl::{Npu, Queued, StreamName};

enum Download {}
impl StreamName for Download {}

type Lent<'s> = Lease<'s, Npu<0>, &'s mut [u32]>;

fn wrong(
    down: Idle<'_, (Npu<0>, Download)>,
    main: Idle<'_, (Npu<0>, Main)>,
    lent: Queued<'_, (Npu<0>, Main), Lent<'_>, After<Download>>,
) -> u32 {
    main.take(lent).into_inner()[0] //~ mistake
    //~ instead: down.verify(main.take(lent)).into_inner()[0]
}
