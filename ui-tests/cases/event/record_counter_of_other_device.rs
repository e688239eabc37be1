//! Changes a counter of another device.

use ascendcl::event::{CntNotify, CntNotifyRecord};
use ascendcl::{Npu, Result, Stream};

fn wrong(
    on_0: &mut Stream<'_, '_, Npu<0>>,
    on_1: &mut Stream<'_, '_, Npu<1>>,
    counter: &CntNotify<'_, Npu<1>>,
    change: CntNotifyRecord,
) -> Result<()> {
    let _ = (&on_0, &on_1);
    on_0.cnt_notify_record(counter, change) //~ mistake
    //~ instead: on_1.cnt_notify_record(counter, change)
}
