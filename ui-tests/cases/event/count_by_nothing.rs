//! Changes a counter by 0.

use std::num::NonZeroU32;

use ascendcl::event::{CntNotify, CntNotifyRecord};
use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, counter: &CntNotify<'_, Npu<0>>) -> Result<()> {
    let one = NonZeroU32::MIN;
    stream.cnt_notify_record(counter, CntNotifyRecord::Add(one))?;
    stream.cnt_notify_record(counter, CntNotifyRecord::Set(0)) //~ mistake
    //~ instead: stream.cnt_notify_reset(counter)
}
