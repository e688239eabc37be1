//! Lets a thread that serves one device run the callbacks of another one's stream.

use ascendcl::callback::ReportThreadId;
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    of_one: &ReportThreadId<Npu<1>>,
    of_zero: &ReportThreadId<Npu<0>>,
) -> Result<()> {
    let subscribed = stream.subscribe_report(of_one)?; //~ mistake
    //~ instead: let subscribed = stream.subscribe_report(of_zero)?;
    stream.unsubscribe_report(subscribed)
}
