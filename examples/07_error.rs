//! What does an error say, and how do I tell errors apart?
//!
//! `aclError`, `aclGetRecentErrMsg`. An error names the call, the code, its meaning and the usual remedy.
//! `ErrorKind::Usage` is a mistake that this crate finds before it calls the runtime. `ErrorKind::Refused` is a
//! refusal of the runtime and has its code.
#![expect(clippy::print_stdout, reason = "an example shows what it did")]

use ascendcl::error::Usage;
use ascendcl::{Acl, Error, ErrorKind, Npu, Result, sys};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let Err(error) = acl.on::<Npu<0>, _>(99, |current| current.malloc::<u8>(64)?.free()) else {
        println!("this machine has a hundred devices");
        return Ok(());
    };
    match (error.kind(), error.code()) {
        (ErrorKind::Refused(_), Some(sys::ACL_ERROR_RT_INVALID_DEVICEID)) => {
            println!("no such device: {error}");
        }
        _ => return Err(error),
    }
    acl.on::<Npu<0>, _>(0, |current| {
        match current.malloc::<u8>(0).map_err(Error::into_kind) {
            Err(ErrorKind::Usage(Usage::ZeroSize { len, .. })) => println!("{len} is no length"),
            Err(other) => println!("another error: {other}"),
            Ok(_) => println!("memory of no bytes"),
        }
        Ok(())
    })
}
