//! Counts in a local variable, which may be gone when the callback runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl::callback::Subscribed;
use ascendcl::stream::Main;
use ascendcl::{Npu, Result, Stream};

fn wrong(
    stream: &mut Stream<'_, '_, Npu<0>>,
    subscribed: &Subscribed<(Npu<0>, Main)>,
) -> Result<u32> {
    let runs = Arc::new(AtomicU32::new(0));
    stream.launch_callback(subscribed, || { //~ mistake
        //~ instead: let counter = Arc::clone(&runs);
        //~ instead: stream.launch_callback(subscribed, move || {
        runs.fetch_add(1, Ordering::Relaxed); //~ mistake
        //~ instead: counter.fetch_add(1, Ordering::Relaxed);
    })?;
    stream.synchronize()?;
    Ok(runs.load(Ordering::Relaxed))
}
