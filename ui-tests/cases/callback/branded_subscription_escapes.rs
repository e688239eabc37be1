//! Takes the subscription of a stream without a name out of the closure with its brand.

use ascendcl::callback::ReportThreadId;
use ascendcl::{Current, Npu, ParkedStream, Result};

fn wrong<'d>(
    current: Current<'_, 'd, Npu<0>>,
    mut lane: ParkedStream<'d, Npu<0>>,
    thread: &ReportThreadId<Npu<0>>,
) -> Result<()> {
    let subscribed = lane.with(current, |stream| -> Result<_> {
        Ok(stream.subscribe_report(thread)?) //~ mistake
        //~ instead: Ok(stream.subscribe_report(thread)?.unbrand())
    })?;
    drop(subscribed);
    Ok(())
}
