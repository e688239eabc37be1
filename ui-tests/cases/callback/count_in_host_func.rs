//! Counts in a number of the caller, which may be gone when the host function runs.
#![allow(unused)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl::{Npu, Result, Stream};

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<u32> {
    let mut runs = 0; //~ mistake
    stream.launch_host_func(|| runs += 1)?; //~ mistake
    stream.synchronize()?; //~ mistake
    Ok(runs) //~ mistake
    //~ instead: let runs = Arc::new(AtomicU32::new(0));
    //~ instead: let counter = Arc::clone(&runs);
    //~ instead: stream.launch_host_func(move || {
    //~ instead:     counter.fetch_add(1, Ordering::Relaxed);
    //~ instead: })?;
    //~ instead: stream.synchronize()?;
    //~ instead: Ok(runs.load(Ordering::Relaxed))
}
