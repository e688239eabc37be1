//! Takes the number of a device in the machine for the id in the program, which may be that of another card.

use ascendcl::settings::PhyDevId;
use ascendcl::{Acl, Npu, Result, Thread};

fn wrong(acl: &Acl, thread: &mut Thread, number: PhyDevId) -> Result<()> {
    acl.set_device::<Npu<0>>(thread, number)?.reset() //~ mistake
    //~ instead: acl.set_device::<Npu<0>>(thread, number.user_id(acl)?)?.reset()
}
