//! Makes the proof that the program runs on a host without asking.

use std::marker::PhantomData;

use ascendcl::{Acl, HostSide, Result};

fn wrong(acl: &Acl) -> Result<Option<HostSide<'_>>> {
    Ok(Some(HostSide(PhantomData))) //~ mistake
    //~ instead: Ok(acl.run_mode()?.host())
}
