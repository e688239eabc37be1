//! Gives pinned host memory to a caller who frees it with the program's own allocator.

use ascendcl::HostBuf;

fn wrong(pinned: HostBuf<'_, [u8]>) -> Vec<u8> { //~ mistake
    //~ instead: fn wrong(pinned: HostBuf<'_, [u8]>) -> HostBuf<'_, [u8]> {
    pinned
}
