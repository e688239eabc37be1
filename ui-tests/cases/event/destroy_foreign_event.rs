//! Destroys an event of another library, which goes on to use it.

use ascendcl::event::Order;
use ascendcl::interop::Foreign;
use ascendcl::{Event, Npu};

fn wrong(event: Event<'_, Npu<0>, Foreign<Order>>) {
    let _ = event.destroy(); //~ mistake
    //~ instead: drop(event);
}
