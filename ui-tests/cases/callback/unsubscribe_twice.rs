//! Ends one subscription twice.

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    subscribed: Subscribed<(Npu<0>, Main)>,
) -> Result<()> {
    stream.unsubscribe_report(subscribed)?;
    stream.unsubscribe_report(subscribed)?; //~ mistake
    Ok(())
}
