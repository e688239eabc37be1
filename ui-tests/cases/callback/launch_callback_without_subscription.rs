//! Launches a callback on a stream that no thread serves.

use ascendcl::callback::ReportThreadId;
use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, server: &ReportThreadId<Npu<0>>) -> Result<()> {
    let subscribed = stream.subscribe_report(server)?;
    stream.launch_callback(|| println!("half of the work is done"))?; //~ mistake
    //~ instead: stream.launch_callback(&subscribed, || println!("half of the work is done"))?;
    stream.unsubscribe_report(subscribed)
}
