//! Creates an event as if it belonged to another library: nobody would destroy it.

use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::{Current, Npu, Result};

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    let event = current.create_event::<Foreign<Order>>()?; //~ mistake
    //~ instead: let event = current.create_event::<Order>()?;
    drop(event);
    Ok(())
}
