//! Creates an event without saying what it is for.
#![allow(unused)]

use ascendcl::event::Order;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let event = current.create_event()?; //~ mistake
    //~ instead: let event = current.create_event::<Order>()?;
    drop(event);
    Ok(())
}
