//! Destroys an event twice.

use ascendcl::event::Order;
use ascendcl::{Event, Npu, Result};

fn wrong(event: Event<'_, Npu<0>, Order>) -> Result<()> {
    event.destroy()?;
    event.destroy()?; //~ mistake
    Ok(())
}
