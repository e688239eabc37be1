//! The media engine without an engine for pictures: objects, codes of refused calls and the order of checks, and what needs
//! neither decoding nor smooth scaling. `emulator/media/tests` has the rest.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod checker;
mod codes;
mod process;
mod query;

use std::ffi::c_void;
use std::ptr::null_mut;

use ascendcl_emulator::take_findings;
use ascendcl_sys::*;
use common::*;

/// Sets device 0.
fn dvpp(size: usize) -> *mut c_void {
    let mut memory = null_mut();
    check!(media.acldvppMalloc(&mut memory, size));
    memory
}

/// A channel with a stream.
struct Channel {
    desc: *mut acldvppChannelDesc,
    stream: aclrtStream,
}

impl Channel {
    fn new() -> Channel {
        let desc = call!(media.acldvppCreateChannelDesc());
        check!(media.acldvppCreateChannel(desc));
        let stream = stream();
        Channel { desc, stream }
    }

    fn wait(&self) {
        check!(stream.aclrtSynchronizeStream(self.stream));
    }

    fn end(self) {
        check!(stream.aclrtDestroyStream(self.stream));
        check!(media.acldvppDestroyChannel(self.desc));
        check!(media.acldvppDestroyChannelDesc(self.desc));
    }
}

/// A picture without gaps, with its memory.
struct Picture {
    desc: *mut acldvppPicDesc,
    memory: *mut c_void,
    size: usize,
}

impl Picture {
    fn new(
        format: acldvppPixelFormat,
        width: u32,
        height: u32,
        row: u32,
        content: &[u8],
    ) -> Picture {
        let desc = call!(media.acldvppCreatePicDesc());
        let memory = dvpp(content.len());
        let (size, kind) = (content.len(), ACL_MEMCPY_HOST_TO_DEVICE);
        check!(memory.aclrtMemcpy(memory, size, content.as_ptr().cast(), size, kind));
        let picture = Picture { desc, memory, size };
        picture.describe(format, width, height, row);
        picture
    }

    fn describe(&self, format: acldvppPixelFormat, width: u32, height: u32, row: u32) {
        check!(media.acldvppSetPicDescData(self.desc, self.memory));
        check!(media.acldvppSetPicDescSize(self.desc, self.size as u32));
        check!(media.acldvppSetPicDescFormat(self.desc, format));
        check!(media.acldvppSetPicDescWidth(self.desc, width));
        check!(media.acldvppSetPicDescHeight(self.desc, height));
        check!(media.acldvppSetPicDescWidthStride(self.desc, row));
        check!(media.acldvppSetPicDescHeightStride(self.desc, height));
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; self.size];
        let kind = ACL_MEMCPY_DEVICE_TO_HOST;
        check!(memory.aclrtMemcpy(
            bytes.as_mut_ptr().cast(),
            self.size,
            self.memory,
            self.size,
            kind
        ));
        bytes
    }

    fn code(&self) -> u32 {
        call!(media.acldvppGetPicDescRetCode(self.desc))
    }

    fn end(self) {
        check!(media.acldvppDestroyPicDesc(self.desc));
        check!(media.acldvppFree(self.memory));
    }
}

fn gray(width: u32, height: u32, content: &[u8]) -> Picture {
    Picture::new(PIXEL_FORMAT_YUV_400, width, height, width, content)
}

fn roi(left: u32, right: u32, top: u32, bottom: u32) -> *mut acldvppRoiConfig {
    call!(media.acldvppCreateRoiConfig(left, right, top, bottom))
}
