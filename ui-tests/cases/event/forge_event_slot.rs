//! Makes a type of one's own the place where a fence keeps its event.

use ascendcl::event::{EventSlot, Order};
use ascendcl::{Npu, sys};

struct Raw(sys::aclrtEvent);
impl EventSlot<Npu<0>> for Raw { //~ mistake
    type Capability = Order; //~ mistake
    fn raw(&self) -> sys::aclrtEvent { //~ mistake
        self.0 //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_slot<E: EventSlot<Npu<0>>>(_: E, _: Raw) {}
