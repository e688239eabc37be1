//! Puts pinned memory into the list that the error path frees as device memory.
#![allow(unused)]

use ascendcl::{DeviceBuf, HostBuf, Npu};

fn wrong<'dev>(
    on_failure: &mut Vec<DeviceBuf<'dev, Npu<0>, [u8]>>,
    on_host: HostBuf<'dev, [u8]>,
    on_device: DeviceBuf<'dev, Npu<0>, [u8]>,
) {
    on_failure.push(on_host); //~ mistake
    //~ instead: on_failure.push(on_device);
}
