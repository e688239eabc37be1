//! Queries an event that processes share.
#![allow(unused)]

use std::time::Duration;

use ascendcl::share::{Imported, SharedEvent};
use ascendcl::{Npu, Result};

fn wrong(filled: &SharedEvent<'_, Imported<Npu<0>>>) -> Result<()> {
    filled.query()?; //~ mistake
    //~ instead: filled.synchronize_within(Duration::from_secs(1))?;
    Ok(())
}
