//! JPEG and PNG files: their headers in host memory, and their decoding (`acldvppJpeg*`, `acldvppPng*`).

use std::cell::OnceCell;
use std::ffi::c_void;
use std::ptr;

use ascendcl::emulator::API;
use ascendcl::sys::{
    ACL_ERROR_RT_AICPU_EXCEPTION, ACL_MEMCPY_HOST_TO_DEVICE, ACL_SUCCESS, PIXEL_FORMAT_UNKNOWN,
    acldvppChannelDesc, acldvppJpegFormat, aclrtStream, status,
};

/// The longest input.
const LONGEST: usize = 64 << 10;

/// The bytes for a decoded picture; a larger one is refused by its task.
const ROOM: u32 = 256 << 10;

/// What all inputs use.
struct Channel {
    desc: *mut acldvppChannelDesc,
    stream: aclrtStream,
    /// Memory for the longest input, and for the decoded picture.
    input: *mut c_void,
    output: *mut c_void,
}

impl Channel {
    fn new() -> Channel {
        ascendcl_emulator_media::register();
        // SAFETY: takes a number.
        let mut codes = vec![unsafe { (API.device.aclrtSetDevice)(0) }];
        // SAFETY: takes nothing.
        let desc = unsafe { (API.media.acldvppCreateChannelDesc)() };
        // SAFETY: the description was just made.
        codes.push(unsafe { (API.media.acldvppCreateChannel)(desc) });
        let (mut stream, mut input, mut output) =
            (ptr::null_mut(), ptr::null_mut(), ptr::null_mut());
        // SAFETY: a place for a handle.
        codes.push(unsafe { (API.stream.aclrtCreateStream)(&raw mut stream) });
        // SAFETY: a place for an address.
        codes.push(unsafe { (API.media.acldvppMalloc)(&raw mut input, LONGEST) });
        // SAFETY: a place for an address.
        codes.push(unsafe { (API.media.acldvppMalloc)(&raw mut output, ROOM as usize) });
        assert_eq!(codes, [ACL_SUCCESS; 5]);
        Channel {
            desc,
            stream,
            input,
            output,
        }
    }

    /// Decodes a file that is in the memory of the channel, and looks at its description.
    fn decode(&self, size: u32, is_png: bool) {
        let (desc, input, stream) = (self.desc, self.input, self.stream);
        let media = API.media;
        // SAFETY: takes nothing.
        let picture = unsafe { (media.acldvppCreatePicDesc)() };
        // SAFETY: a description and memory that exist.
        let code = unsafe { (media.acldvppSetPicDescData)(picture, self.output) };
        assert_eq!(code, ACL_SUCCESS);
        // SAFETY: as above.
        let code = unsafe { (media.acldvppSetPicDescSize)(picture, ROOM) };
        assert_eq!(code, ACL_SUCCESS);
        // SAFETY: as above.
        let code = unsafe { (media.acldvppSetPicDescFormat)(picture, PIXEL_FORMAT_UNKNOWN) };
        assert_eq!(code, ACL_SUCCESS);
        let code = if is_png {
            // SAFETY: all of them exist until the stream has ended its work.
            unsafe { (media.acldvppPngDecodeAsync)(desc, input, size, picture, stream) }
        } else {
            // SAFETY: as above.
            unsafe { (media.acldvppJpegDecodeAsync)(desc, input, size, picture, stream) }
        };
        assert_eq!(code, ACL_SUCCESS);
        // SAFETY: the stream exists.
        let code = unsafe { (API.stream.aclrtSynchronizeStream)(stream) };
        // SAFETY: the description exists.
        let told = unsafe { (media.acldvppGetPicDescRetCode)(picture) };
        assert!(
            [ACL_SUCCESS, ACL_ERROR_RT_AICPU_EXCEPTION].contains(&code),
            "{code}"
        );
        assert_eq!(code == ACL_SUCCESS, told == 0, "{code} {told}");
        // SAFETY: the description exists.
        let width = unsafe { (media.acldvppGetPicDescWidth)(picture) };
        assert_eq!(code == ACL_SUCCESS, width > 0, "{code} {width}");
        // SAFETY: the description exists, and no task uses it.
        let code = unsafe { (media.acldvppDestroyPicDesc)(picture) };
        assert_eq!(code, ACL_SUCCESS);
        let _ = ascendcl::emulator::take_violations();
    }
}

/// Reads the headers, as if the input was a file of each kind.
fn headers(data: *const c_void, size: u32) {
    let (mut width, mut height, mut components) = (0, 0, 0);
    let mut format = acldvppJpegFormat(0);
    // SAFETY: the bytes of the input, and places for numbers.
    let jpeg = unsafe {
        (API.media.acldvppJpegGetImageInfoV2)(
            data,
            size,
            &raw mut width,
            &raw mut height,
            &raw mut components,
            &raw mut format,
        )
    };
    let mut room = 0;
    // SAFETY: as above.
    let decoded = unsafe {
        (API.media.acldvppJpegPredictDecSize)(data, size, PIXEL_FORMAT_UNKNOWN, &raw mut room)
    };
    assert!(
        decoded != ACL_SUCCESS || (jpeg == ACL_SUCCESS && room > 0),
        "{jpeg} {room}"
    );
    // SAFETY: as above.
    let png = unsafe {
        (API.media.acldvppPngGetImageInfo)(
            data,
            size,
            &raw mut width,
            &raw mut height,
            &raw mut components,
        )
    };
    // SAFETY: as above.
    let decoded = unsafe {
        (API.media.acldvppPngPredictDecSize)(data, size, PIXEL_FORMAT_UNKNOWN, &raw mut room)
    };
    assert!(decoded != ACL_SUCCESS || room > 0, "{room}");
    for code in [jpeg, png, decoded] {
        assert!(status::name(code).is_some(), "{code}");
    }
}

pub(crate) fn read(bytes: &[u8]) {
    thread_local! {
        static CHANNEL: OnceCell<Channel> = const { OnceCell::new() };
    }
    if bytes.is_empty() || bytes.len() > LONGEST {
        return;
    }
    CHANNEL.with(|channel| {
        let channel = channel.get_or_init(Channel::new);
        let size = bytes.len();
        headers(bytes.as_ptr().cast(), size as u32);
        for is_png in [false, true] {
            let (to, from) = (channel.input, bytes.as_ptr().cast());
            // SAFETY: both places have the bytes of the input, and no task uses the memory.
            let code = unsafe {
                (API.memory.aclrtMemcpy)(to, LONGEST, from, size, ACL_MEMCPY_HOST_TO_DEVICE)
            };
            assert_eq!(code, ACL_SUCCESS);
            channel.decode(size as u32, is_png);
        }
    });
}
