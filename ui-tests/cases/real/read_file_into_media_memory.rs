//! Reads a file straight into media memory, which the host cannot address.

use std::fs::File;
use std::io::{self, Read};

use ascendcl::{DvppBuf, HostBuf, Npu};

fn wrong(
    mut file: &File,
    on_host: &mut HostBuf<'_, [u8]>,
    on_device: &mut DvppBuf<'_, Npu<0>, [u8]>,
) -> io::Result<()> {
    file.read_exact(on_device) //~ mistake
    //~ instead: file.read_exact(on_host)
}
