//! Keeps what the runtime tells of a failed task for longer than it tells.

use std::cell::RefCell;

use ascendcl::callback::ExceptionInfo;
use ascendcl::{Acl, Result};

thread_local! {
    static LAST: RefCell<Option<&'static ExceptionInfo<'static>>> = const { RefCell::new(None) }; //~ mistake
    //~ instead: static LAST: RefCell<Option<u32>> = const { RefCell::new(None) };
}

fn wrong(acl: &mut Acl) -> Result<()> {
    acl.set_exception_info_callback(Some(|info| {
        LAST.set(Some(info)); //~ mistake
        //~ instead: LAST.set(info.error_code());
    }))
}
