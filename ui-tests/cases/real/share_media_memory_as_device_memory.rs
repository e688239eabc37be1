//! Shares media memory through a pointer whose last owner frees it as device memory.
#![allow(unused)]

use std::sync::Arc;

use ascendcl::{DeviceBuf, DvppBuf, Npu};

type Shared<'dev> = Arc<DeviceBuf<'dev, Npu<0>, [u8]>>; //~ mistake
//~ instead: type Shared<'dev> = Arc<DvppBuf<'dev, Npu<0>, [u8]>>;

fn wrong(image: DvppBuf<'_, Npu<0>, [u8]>) -> Shared<'_> {
    Arc::new(image)
}
