//! Borrows an event of another library without a promise that it is one.

use ascendcl::event::Order;
use ascendcl::{Current, Npu, Result, sys};

fn wrong(current: Current<'_, '_, Npu<0>>, raw: sys::aclrtEvent) -> Result<()> {
    let event = current.borrow_raw_event::<Order>(raw)?; //~ mistake
    //~ instead: let event = unsafe { current.borrow_raw_event::<Order>(raw)? };
    drop(event);
    Ok(())
}
