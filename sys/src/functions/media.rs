//! The media engine DVPP, both generations (`acl/ops/acl_dvpp.h`, `acl/dvpp/hi_dvpp.h`): `acldvpp*`, `aclvdec*` and
//! `aclvenc*` of the first, `hi_mpi_*` of the second. A process uses one of them.
//!
//! Of the second generation these are memory, the system, picture processing, and the coding of JPEG and PNG. Video,
//! drawing, warping and stitching are not declared. Without the feature `media` only memory is declared.

#[allow(unused_imports, reason = "an area may need types of any other")]
use crate::{structs::*, types::*};
#[allow(unused_imports, reason = "an area may need types of any other")]
use core::ffi::{c_char, c_void};

/// Calls `$callback!` with the media functions: those of memory, and with the feature `media` all others.
#[doc(hidden)]
#[macro_export]
macro_rules! media_functions {
    (@engine $callback:path; $($engine:tt)*) => {
        $callback! {
            area "media", MediaTable;
            /// Allocates memory for the first generation of the media engine; 128-byte aligned start.
            fn acldvppMalloc(devPtr: *mut *mut c_void, size: usize) -> aclError;
            /// Allocates memory for the first generation of the media engine, with a choice of pages.
            fn acldvppMallocWithCfg(devPtr: *mut *mut c_void, size: usize, policy: aclrtMemMallocPolicy, cfg: *mut aclrtMallocConfig) -> aclError;
            /// Frees memory of `acldvppMalloc`, and only that.
            fn acldvppFree(devPtr: *mut c_void) -> aclError;
            /// Allocates memory for the second generation of the media engine.
            fn hi_mpi_dvpp_malloc(dev_id: u32, dev_ptr: *mut *mut c_void, size: hi_u64) -> i32;
            /// Frees memory of `hi_mpi_dvpp_malloc`, and only that.
            fn hi_mpi_dvpp_free(dev_ptr: *mut c_void) -> i32;
            $($engine)*
        }
    };
    ($callback:path) => {
        $crate::media_engine_functions! { $crate::media_functions, @engine $callback; }
    };
}

/// Calls `$callback!` with the functions of the media engine, behind the tokens of `$context`.
#[cfg(not(feature = "media"))]
#[doc(hidden)]
#[macro_export]
macro_rules! media_engine_functions {
    ($callback:path, $($context:tt)*) => {
        $callback! { $($context)* }
    };
}

/// Calls `$callback!` with the functions of the media engine, behind the tokens of `$context`.
#[cfg(feature = "media")]
#[doc(hidden)]
#[macro_export]
macro_rules! media_engine_functions {
    ($callback:path, $($context:tt)*) => {
        $callback! {
            $($context)*
            /// Creates the description of a channel.
            fn acldvppCreateChannelDesc() -> *mut acldvppChannelDesc;
            /// Destroys the description of a channel.
            fn acldvppDestroyChannelDesc(channelDesc: *mut acldvppChannelDesc) -> aclError;
            /// Returns the number of the channel of a channel.
            fn acldvppGetChannelDescChannelId(channelDesc: *const acldvppChannelDesc) -> u64;
            /// Creates the description of a picture.
            fn acldvppCreatePicDesc() -> *mut acldvppPicDesc;
            /// Destroys the description of a picture.
            fn acldvppDestroyPicDesc(picDesc: *mut acldvppPicDesc) -> aclError;
            /// Sets the device address of a picture.
            fn acldvppSetPicDescData(picDesc: *mut acldvppPicDesc, dataDev: *mut c_void) -> aclError;
            /// Sets the bytes of the buffer of a picture.
            fn acldvppSetPicDescSize(picDesc: *mut acldvppPicDesc, size: u32) -> aclError;
            /// Sets the format of a picture.
            fn acldvppSetPicDescFormat(picDesc: *mut acldvppPicDesc, format: acldvppPixelFormat) -> aclError;
            /// Sets the width in pixels of a picture.
            fn acldvppSetPicDescWidth(picDesc: *mut acldvppPicDesc, width: u32) -> aclError;
            /// Sets the height in rows of a picture.
            fn acldvppSetPicDescHeight(picDesc: *mut acldvppPicDesc, height: u32) -> aclError;
            /// Sets the bytes of a row of a picture.
            fn acldvppSetPicDescWidthStride(picDesc: *mut acldvppPicDesc, widthStride: u32) -> aclError;
            /// Sets the rows of the buffer of a picture.
            fn acldvppSetPicDescHeightStride(picDesc: *mut acldvppPicDesc, heightStride: u32) -> aclError;
            /// Sets the status that the task wrote of a picture.
            fn acldvppSetPicDescRetCode(picDesc: *mut acldvppPicDesc, retCode: u32) -> aclError;
            /// Returns the device address of a picture.
            fn acldvppGetPicDescData(picDesc: *const acldvppPicDesc) -> *mut c_void;
            /// Returns the bytes of the buffer of a picture.
            fn acldvppGetPicDescSize(picDesc: *const acldvppPicDesc) -> u32;
            /// Returns the format of a picture.
            fn acldvppGetPicDescFormat(picDesc: *const acldvppPicDesc) -> acldvppPixelFormat;
            /// Returns the width in pixels of a picture.
            fn acldvppGetPicDescWidth(picDesc: *const acldvppPicDesc) -> u32;
            /// Returns the height in rows of a picture.
            fn acldvppGetPicDescHeight(picDesc: *const acldvppPicDesc) -> u32;
            /// Returns the bytes of a row of a picture.
            fn acldvppGetPicDescWidthStride(picDesc: *const acldvppPicDesc) -> u32;
            /// Returns the rows of the buffer of a picture.
            fn acldvppGetPicDescHeightStride(picDesc: *const acldvppPicDesc) -> u32;
            /// Returns the status that the task wrote of a picture.
            fn acldvppGetPicDescRetCode(picDesc: *const acldvppPicDesc) -> u32;
            /// Creates a rectangle from its sides, which are inside of it. Null if one is above 65535.
            fn acldvppCreateRoiConfig(left: u32, right: u32, top: u32, bottom: u32) -> *mut acldvppRoiConfig;
            /// Destroys a rectangle.
            fn acldvppDestroyRoiConfig(roiConfig: *mut acldvppRoiConfig) -> aclError;
            /// Sets the leftmost column of a rectangle.
            fn acldvppSetRoiConfigLeft(config: *mut acldvppRoiConfig, left: u32) -> aclError;
            /// Sets the rightmost column of a rectangle.
            fn acldvppSetRoiConfigRight(config: *mut acldvppRoiConfig, right: u32) -> aclError;
            /// Sets the first row of a rectangle.
            fn acldvppSetRoiConfigTop(config: *mut acldvppRoiConfig, top: u32) -> aclError;
            /// Sets the last row of a rectangle.
            fn acldvppSetRoiConfigBottom(config: *mut acldvppRoiConfig, bottom: u32) -> aclError;
            /// Sets all four sides of a rectangle, which are inside of it.
            fn acldvppSetRoiConfig(config: *mut acldvppRoiConfig, left: u32, right: u32, top: u32, bottom: u32) -> aclError;
            /// Creates the options of scaling.
            fn acldvppCreateResizeConfig() -> *mut acldvppResizeConfig;
            /// Destroys the options of scaling.
            fn acldvppDestroyResizeConfig(resizeConfig: *mut acldvppResizeConfig) -> aclError;
            /// Creates the options of JPEG encoding.
            fn acldvppCreateJpegeConfig() -> *mut acldvppJpegeConfig;
            /// Destroys the options of JPEG encoding.
            fn acldvppDestroyJpegeConfig(jpegeConfig: *mut acldvppJpegeConfig) -> aclError;
            /// Sets the quality of JPEG encoding.
            fn acldvppSetJpegeConfigLevel(jpegeConfig: *mut acldvppJpegeConfig, level: u32) -> aclError;
            /// Returns the quality of JPEG encoding.
            fn acldvppGetJpegeConfigLevel(jpegeConfig: *const acldvppJpegeConfig) -> u32;
            /// Creates the description of a decoding channel.
            fn aclvdecCreateChannelDesc() -> *mut aclvdecChannelDesc;
            /// Destroys the description of a decoding channel.
            fn aclvdecDestroyChannelDesc(channelDesc: *mut aclvdecChannelDesc) -> aclError;
            /// Sets the number of the channel of a decoding channel.
            fn aclvdecSetChannelDescChannelId(channelDesc: *mut aclvdecChannelDesc, channelId: u32) -> aclError;
            /// Sets the thread that runs the callback of a decoding channel.
            fn aclvdecSetChannelDescThreadId(channelDesc: *mut aclvdecChannelDesc, threadId: u64) -> aclError;
            /// Sets the callback of a decoding channel.
            fn aclvdecSetChannelDescCallback(channelDesc: *mut aclvdecChannelDesc, callback: aclvdecCallback) -> aclError;
            /// Sets the coding of a decoding channel.
            fn aclvdecSetChannelDescEnType(channelDesc: *mut aclvdecChannelDesc, enType: acldvppStreamFormat) -> aclError;
            /// Sets the pixel format of the output of a decoding channel.
            fn aclvdecSetChannelDescOutPicFormat(channelDesc: *mut aclvdecChannelDesc, outPicFormat: acldvppPixelFormat) -> aclError;
            /// Sets the width of the output of a decoding channel.
            fn aclvdecSetChannelDescOutPicWidth(channelDesc: *mut aclvdecChannelDesc, outPicWidth: u32) -> aclError;
            /// Sets the height of the output of a decoding channel.
            fn aclvdecSetChannelDescOutPicHeight(channelDesc: *mut aclvdecChannelDesc, outPicHeight: u32) -> aclError;
            /// Sets the number of reference frames of a decoding channel.
            fn aclvdecSetChannelDescRefFrameNum(channelDesc: *mut aclvdecChannelDesc, refFrameNum: u32) -> aclError;
            /// Sets the bits of a sample of a decoding channel.
            fn aclvdecSetChannelDescBitDepth(channelDesc: *mut aclvdecChannelDesc, bitDepth: u32) -> aclError;
            /// Returns the number of the channel of a decoding channel.
            fn aclvdecGetChannelDescChannelId(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Returns the thread that runs the callback of a decoding channel.
            fn aclvdecGetChannelDescThreadId(channelDesc: *const aclvdecChannelDesc) -> u64;
            /// Returns the callback of a decoding channel.
            fn aclvdecGetChannelDescCallback(channelDesc: *const aclvdecChannelDesc) -> aclvdecCallback;
            /// Returns the coding of a decoding channel.
            fn aclvdecGetChannelDescEnType(channelDesc: *const aclvdecChannelDesc) -> acldvppStreamFormat;
            /// Returns the pixel format of the output of a decoding channel.
            fn aclvdecGetChannelDescOutPicFormat(channelDesc: *const aclvdecChannelDesc) -> acldvppPixelFormat;
            /// Returns the width of the output of a decoding channel.
            fn aclvdecGetChannelDescOutPicWidth(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Returns the height of the output of a decoding channel.
            fn aclvdecGetChannelDescOutPicHeight(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Returns the bits of a sample of a decoding channel.
            fn aclvdecGetChannelDescBitDepth(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Returns the number of reference frames of a decoding channel.
            fn aclvdecGetChannelDescRefFrameNum(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Creates the description of an encoding channel.
            fn aclvencCreateChannelDesc() -> *mut aclvencChannelDesc;
            /// Destroys the description of an encoding channel.
            fn aclvencDestroyChannelDesc(channelDesc: *mut aclvencChannelDesc) -> aclError;
            /// Sets the thread that runs the callback of an encoding channel.
            fn aclvencSetChannelDescThreadId(channelDesc: *mut aclvencChannelDesc, threadId: u64) -> aclError;
            /// Sets the callback of an encoding channel.
            fn aclvencSetChannelDescCallback(channelDesc: *mut aclvencChannelDesc, callback: aclvencCallback) -> aclError;
            /// Sets the coding of an encoding channel.
            fn aclvencSetChannelDescEnType(channelDesc: *mut aclvencChannelDesc, enType: acldvppStreamFormat) -> aclError;
            /// Sets the pixel format of the input of an encoding channel.
            fn aclvencSetChannelDescPicFormat(channelDesc: *mut aclvencChannelDesc, picFormat: acldvppPixelFormat) -> aclError;
            /// Sets the width of the input of an encoding channel.
            fn aclvencSetChannelDescPicWidth(channelDesc: *mut aclvencChannelDesc, picWidth: u32) -> aclError;
            /// Sets the height of the input of an encoding channel.
            fn aclvencSetChannelDescPicHeight(channelDesc: *mut aclvencChannelDesc, picHeight: u32) -> aclError;
            /// Sets the distance of key frames of an encoding channel.
            fn aclvencSetChannelDescKeyFrameInterval(channelDesc: *mut aclvencChannelDesc, keyFrameInterval: u32) -> aclError;
            /// Sets the address of the output buffer of an encoding channel.
            fn aclvencSetChannelDescBufAddr(channelDesc: *mut aclvencChannelDesc, bufAddr: *mut c_void) -> aclError;
            /// Sets the bytes of the output buffer of an encoding channel.
            fn aclvencSetChannelDescBufSize(channelDesc: *mut aclvencChannelDesc, bufSize: u32) -> aclError;
            /// Sets the mode of rate control of an encoding channel.
            fn aclvencSetChannelDescRcMode(channelDesc: *mut aclvencChannelDesc, rcMode: u32) -> aclError;
            /// Sets the frame rate of the input of an encoding channel.
            fn aclvencSetChannelDescSrcRate(channelDesc: *mut aclvencChannelDesc, srcRate: u32) -> aclError;
            /// Sets the greatest bit rate of an encoding channel.
            fn aclvencSetChannelDescMaxBitRate(channelDesc: *mut aclvencChannelDesc, maxBitRate: u32) -> aclError;
            /// Sets a parameter of an encoding channel.
            fn aclvencSetChannelDescParam(channelDesc: *mut aclvencChannelDesc, paramType: aclvencChannelDescParamType, length: usize, param: *const c_void) -> aclError;
            /// Returns the address of the output buffer of an encoding channel.
            fn aclvencGetChannelDescBufAddr(channelDesc: *const aclvencChannelDesc) -> *mut c_void;
            /// Returns the bytes of the output buffer of an encoding channel.
            fn aclvencGetChannelDescBufSize(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the number of the channel of an encoding channel.
            fn aclvencGetChannelDescChannelId(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the thread that runs the callback of an encoding channel.
            fn aclvencGetChannelDescThreadId(channelDesc: *const aclvencChannelDesc) -> u64;
            /// Returns the callback of an encoding channel.
            fn aclvencGetChannelDescCallback(channelDesc: *const aclvencChannelDesc) -> aclvencCallback;
            /// Returns the coding of an encoding channel.
            fn aclvencGetChannelDescEnType(channelDesc: *const aclvencChannelDesc) -> acldvppStreamFormat;
            /// Returns the pixel format of the input of an encoding channel.
            fn aclvencGetChannelDescPicFormat(channelDesc: *const aclvencChannelDesc) -> acldvppPixelFormat;
            /// Returns the width of the input of an encoding channel.
            fn aclvencGetChannelDescPicWidth(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the height of the input of an encoding channel.
            fn aclvencGetChannelDescPicHeight(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the distance of key frames of an encoding channel.
            fn aclvencGetChannelDescKeyFrameInterval(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the mode of rate control of an encoding channel.
            fn aclvencGetChannelDescRcMode(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the frame rate of the input of an encoding channel.
            fn aclvencGetChannelDescSrcRate(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns the greatest bit rate of an encoding channel.
            fn aclvencGetChannelDescMaxBitRate(channelDesc: *const aclvencChannelDesc) -> u32;
            /// Returns a parameter of an encoding channel.
            fn aclvencGetChannelDescParam(channelDesc: *const aclvencChannelDesc, paramType: aclvencChannelDescParamType, length: usize, paramRetSize: *mut usize, param: *mut c_void) -> aclError;
            /// Returns whether a frame becomes a key frame.
            fn aclvencGetFrameConfigForceIFrame(config: *const aclvencFrameConfig) -> u8;
            /// Returns whether a frame is the last one.
            fn aclvencGetFrameConfigEos(config: *const aclvencFrameConfig) -> u8;
            /// Sets whether a frame becomes a key frame.
            fn aclvencSetFrameConfigForceIFrame(config: *mut aclvencFrameConfig, forceIFrame: u8) -> aclError;
            /// Sets whether a frame is the last one.
            fn aclvencSetFrameConfigEos(config: *mut aclvencFrameConfig, eos: u8) -> aclError;
            /// Destroys the options of a frame.
            fn aclvencDestroyFrameConfig(config: *mut aclvencFrameConfig) -> aclError;
            /// Creates the options of a frame.
            fn aclvencCreateFrameConfig() -> *mut aclvencFrameConfig;
            /// Creates a channel for video encoding.
            fn aclvencCreateChannel(channelDesc: *mut aclvencChannelDesc) -> aclError;
            /// Destroys a channel for video encoding.
            fn aclvencDestroyChannel(channelDesc: *mut aclvencChannelDesc) -> aclError;
            /// Queues a picture for video encoding.
            fn aclvencSendFrame(channelDesc: *mut aclvencChannelDesc, input: *mut acldvppPicDesc, reserve: *mut c_void, config: *mut aclvencFrameConfig, userdata: *mut c_void) -> aclError;
            /// Creates the description of a coded stream.
            fn acldvppCreateStreamDesc() -> *mut acldvppStreamDesc;
            /// Destroys the description of a coded stream.
            fn acldvppDestroyStreamDesc(streamDesc: *mut acldvppStreamDesc) -> aclError;
            /// Sets the device address of a coded stream.
            fn acldvppSetStreamDescData(streamDesc: *mut acldvppStreamDesc, dataDev: *mut c_void) -> aclError;
            /// Sets the bytes of the buffer of a coded stream.
            fn acldvppSetStreamDescSize(streamDesc: *mut acldvppStreamDesc, size: u32) -> aclError;
            /// Sets the format of a coded stream.
            fn acldvppSetStreamDescFormat(streamDesc: *mut acldvppStreamDesc, format: acldvppStreamFormat) -> aclError;
            /// Sets the time stamp of a coded stream.
            fn acldvppSetStreamDescTimestamp(streamDesc: *mut acldvppStreamDesc, timestamp: u64) -> aclError;
            /// Sets the status that the task wrote of a coded stream.
            fn acldvppSetStreamDescRetCode(streamDesc: *mut acldvppStreamDesc, retCode: u32) -> aclError;
            /// Sets whether the stream ends here of a coded stream.
            fn acldvppSetStreamDescEos(streamDesc: *mut acldvppStreamDesc, eos: u8) -> aclError;
            /// Returns the device address of a coded stream.
            fn acldvppGetStreamDescData(streamDesc: *const acldvppStreamDesc) -> *mut c_void;
            /// Returns the bytes of the buffer of a coded stream.
            fn acldvppGetStreamDescSize(streamDesc: *const acldvppStreamDesc) -> u32;
            /// Returns the format of a coded stream.
            fn acldvppGetStreamDescFormat(streamDesc: *const acldvppStreamDesc) -> acldvppStreamFormat;
            /// Returns the time stamp of a coded stream.
            fn acldvppGetStreamDescTimestamp(streamDesc: *const acldvppStreamDesc) -> u64;
            /// Returns the status that the task wrote of a coded stream.
            fn acldvppGetStreamDescRetCode(streamDesc: *const acldvppStreamDesc) -> u32;
            /// Returns whether the stream ends here of a coded stream.
            fn acldvppGetStreamDescEos(streamDesc: *const acldvppStreamDesc) -> u8;
            /// Creates the options of a frame.
            fn aclvdecCreateFrameConfig() -> *mut aclvdecFrameConfig;
            /// Destroys the options of a frame.
            fn aclvdecDestroyFrameConfig(vdecFrameConfig: *mut aclvdecFrameConfig) -> aclError;
            /// Reads size and components from the header of a JPEG in host memory.
            fn acldvppJpegGetImageInfo(data: *const c_void, size: u32, width: *mut u32, height: *mut u32, components: *mut i32) -> aclError;
            /// Reads size, components and subsampling from the header of a JPEG in host memory.
            fn acldvppJpegGetImageInfoV2(data: *const c_void, size: u32, width: *mut u32, height: *mut u32, components: *mut i32, format: *mut acldvppJpegFormat) -> aclError;
            /// Returns the bytes that the encoding of a picture needs at most.
            fn acldvppJpegPredictEncSize(inputDesc: *const acldvppPicDesc, config: *const acldvppJpegeConfig, size: *mut u32) -> aclError;
            /// Returns the bytes of the decoded picture for a JPEG in host memory.
            fn acldvppJpegPredictDecSize(data: *const c_void, dataSize: u32, outputPixelFormat: acldvppPixelFormat, decSize: *mut u32) -> aclError;
            /// Reads size and components from the header of a PNG in host memory.
            fn acldvppPngGetImageInfo(data: *const c_void, dataSize: u32, width: *mut u32, height: *mut u32, components: *mut i32) -> aclError;
            /// Returns the bytes of the decoded picture for a PNG in host memory.
            fn acldvppPngPredictDecSize(data: *const c_void, dataSize: u32, outputPixelFormat: acldvppPixelFormat, decSize: *mut u32) -> aclError;
            /// Creates a channel as its description says. It waits for the device.
            fn acldvppCreateChannel(channelDesc: *mut acldvppChannelDesc) -> aclError;
            /// Destroys a channel, and keeps its description. It waits for the device.
            fn acldvppDestroyChannel(channelDesc: *mut acldvppChannelDesc) -> aclError;
            /// Queues the scaling of a picture.
            fn acldvppVpcResizeAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Queues the copy of a rectangle of a picture.
            fn acldvppVpcCropAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, cropArea: *mut acldvppRoiConfig, stream: aclrtStream) -> aclError;
            /// Queues the scaled copy of a rectangle of a picture.
            fn acldvppVpcCropResizeAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, cropArea: *mut acldvppRoiConfig, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Queues copies of rectangles of several pictures.
            fn acldvppVpcBatchCropAsync(channelDesc: *mut acldvppChannelDesc, srcBatchPicDescs: *mut acldvppBatchPicDesc, roiNums: *mut u32, size: u32, dstBatchPicDescs: *mut acldvppBatchPicDesc, cropAreas: *mut *mut acldvppRoiConfig, stream: aclrtStream) -> aclError;
            /// Queues scaled copies of rectangles of several pictures.
            fn acldvppVpcBatchCropResizeAsync(channelDesc: *mut acldvppChannelDesc, srcBatchPicDescs: *mut acldvppBatchPicDesc, roiNums: *mut u32, size: u32, dstBatchPicDescs: *mut acldvppBatchPicDesc, cropAreas: *mut *mut acldvppRoiConfig, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Queues the copy of a rectangle into a rectangle of another picture.
            fn acldvppVpcCropAndPasteAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, cropArea: *mut acldvppRoiConfig, pasteArea: *mut acldvppRoiConfig, stream: aclrtStream) -> aclError;
            /// Queues the copy of a rectangle into a rectangle of another picture, with options of scaling.
            fn acldvppVpcCropResizePasteAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, cropArea: *mut acldvppRoiConfig, pasteArea: *mut acldvppRoiConfig, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Queues copies of rectangles of several pictures into rectangles of others.
            fn acldvppVpcBatchCropAndPasteAsync(channelDesc: *mut acldvppChannelDesc, srcBatchPicDescs: *mut acldvppBatchPicDesc, roiNums: *mut u32, size: u32, dstBatchPicDescs: *mut acldvppBatchPicDesc, cropAreas: *mut *mut acldvppRoiConfig, pasteAreas: *mut *mut acldvppRoiConfig, stream: aclrtStream) -> aclError;
            /// Queues copies of rectangles of several pictures into rectangles of others, with options of scaling.
            fn acldvppVpcBatchCropResizePasteAsync(channelDesc: *mut acldvppChannelDesc, srcBatchPicDescs: *mut acldvppBatchPicDesc, roiNums: *mut u32, size: u32, dstBatchPicDescs: *mut acldvppBatchPicDesc, cropAreas: *mut *mut acldvppRoiConfig, pasteAreas: *mut *mut acldvppRoiConfig, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Queues the decoding of a JPEG in device memory.
            fn acldvppJpegDecodeAsync(channelDesc: *mut acldvppChannelDesc, data: *const c_void, size: u32, outputDesc: *mut acldvppPicDesc, stream: aclrtStream) -> aclError;
            /// Queues the encoding of a picture as JPEG. The task writes the bytes of the result to `size`.
            fn acldvppJpegEncodeAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, data: *const c_void, size: *mut u32, config: *mut acldvppJpegeConfig, stream: aclrtStream) -> aclError;
            /// Queues the decoding of a PNG in device memory.
            fn acldvppPngDecodeAsync(channelDesc: *mut acldvppChannelDesc, data: *const c_void, size: u32, outputDesc: *mut acldvppPicDesc, stream: aclrtStream) -> aclError;
            /// Creates a channel for video decoding.
            fn aclvdecCreateChannel(channelDesc: *mut aclvdecChannelDesc) -> aclError;
            /// Destroys a channel for video decoding.
            fn aclvdecDestroyChannel(channelDesc: *mut aclvdecChannelDesc) -> aclError;
            /// Queues a frame for video decoding.
            fn aclvdecSendFrame(channelDesc: *mut aclvdecChannelDesc, input: *mut acldvppStreamDesc, output: *mut acldvppPicDesc, config: *mut aclvdecFrameConfig, userData: *mut c_void) -> aclError;
            /// Queues a frame that is decoded without output.
            fn aclvdecSendSkippedFrame(channelDesc: *mut aclvdecChannelDesc, input: *mut acldvppStreamDesc, config: *mut aclvdecFrameConfig, userData: *mut c_void) -> aclError;
            /// Queues the conversion of a picture to another format.
            fn acldvppVpcConvertColorAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, stream: aclrtStream) -> aclError;
            /// Queues the reduction of a picture to half its sides with a Gaussian filter.
            fn acldvppVpcPyrDownAsync(channelDesc: *mut acldvppChannelDesc, inputDesc: *mut acldvppPicDesc, outputDesc: *mut acldvppPicDesc, reserve: *mut c_void, stream: aclrtStream) -> aclError;
            /// Sets the engines that the channel may use of a channel.
            fn acldvppSetChannelDescMode(channelDesc: *mut acldvppChannelDesc, mode: u32) -> aclError;
            /// Sets the kind of interpolation of scaling.
            fn acldvppSetResizeConfigInterpolation(resizeConfig: *mut acldvppResizeConfig, interpolation: u32) -> aclError;
            /// Returns the kind of interpolation of scaling.
            fn acldvppGetResizeConfigInterpolation(resizeConfig: *const acldvppResizeConfig) -> u32;
            /// Sets the order of the output of a decoding channel.
            fn aclvdecSetChannelDescOutMode(channelDesc: *mut aclvdecChannelDesc, outMode: u32) -> aclError;
            /// Returns the order of the output of a decoding channel.
            fn aclvdecGetChannelDescOutMode(channelDesc: *const aclvdecChannelDesc) -> u32;
            /// Creates a list of up to 256 picture descriptions.
            fn acldvppCreateBatchPicDesc(batchSize: u32) -> *mut acldvppBatchPicDesc;
            /// Returns a description in a list, which owns it.
            fn acldvppGetPicDesc(batchPicDesc: *mut acldvppBatchPicDesc, index: u32) -> *mut acldvppPicDesc;
            /// Destroys a list of picture descriptions.
            fn acldvppDestroyBatchPicDesc(batchPicDesc: *mut acldvppBatchPicDesc) -> aclError;
            /// Creates a map of pixel values.
            fn acldvppCreateLutMap() -> *mut acldvppLutMap;
            /// Destroys a map of pixel values.
            fn acldvppDestroyLutMap(lutMap: *mut acldvppLutMap) -> aclError;
            /// Returns the number of components of a map of pixel values.
            fn acldvppGetLutMapDims(lutMap: *const acldvppLutMap) -> u32;
            /// Returns the 256 bytes of a component of a map of pixel values.
            fn acldvppGetLutMapData(lutMap: *const acldvppLutMap, dim: u32, data: *mut *mut u8, len: *mut u32) -> aclError;
            /// Queues the mapping of the pixel values of a picture.
            fn acldvppVpcEqualizeHistAsync(channelDesc: *const acldvppChannelDesc, inputDesc: *const acldvppPicDesc, outputDesc: *mut acldvppPicDesc, lutMap: *const acldvppLutMap, stream: aclrtStream) -> aclError;
            /// Creates a border.
            fn acldvppCreateBorderConfig() -> *mut acldvppBorderConfig;
            /// Sets a colour component of a border.
            fn acldvppSetBorderConfigValue(borderConfig: *mut acldvppBorderConfig, index: u32, value: f64) -> aclError;
            /// Sets the kind of a border.
            fn acldvppSetBorderConfigBorderType(borderConfig: *mut acldvppBorderConfig, borderType: acldvppBorderType) -> aclError;
            /// Sets the number of rows above of a border.
            fn acldvppSetBorderConfigTop(borderConfig: *mut acldvppBorderConfig, top: u32) -> aclError;
            /// Sets the number of rows below of a border.
            fn acldvppSetBorderConfigBottom(borderConfig: *mut acldvppBorderConfig, bottom: u32) -> aclError;
            /// Sets the number of columns on the left of a border.
            fn acldvppSetBorderConfigLeft(borderConfig: *mut acldvppBorderConfig, left: u32) -> aclError;
            /// Sets the number of columns on the right of a border.
            fn acldvppSetBorderConfigRight(borderConfig: *mut acldvppBorderConfig, right: u32) -> aclError;
            /// Returns a colour component of a border.
            fn acldvppGetBorderConfigValue(borderConfig: *const acldvppBorderConfig, index: u32) -> f64;
            /// Returns the kind of a border.
            fn acldvppGetBorderConfigBorderType(borderConfig: *const acldvppBorderConfig) -> acldvppBorderType;
            /// Returns the number of rows above of a border.
            fn acldvppGetBorderConfigTop(borderConfig: *const acldvppBorderConfig) -> u32;
            /// Returns the number of rows below of a border.
            fn acldvppGetBorderConfigBottom(borderConfig: *const acldvppBorderConfig) -> u32;
            /// Returns the number of columns on the left of a border.
            fn acldvppGetBorderConfigLeft(borderConfig: *const acldvppBorderConfig) -> u32;
            /// Returns the number of columns on the right of a border.
            fn acldvppGetBorderConfigRight(borderConfig: *const acldvppBorderConfig) -> u32;
            /// Destroys a border.
            fn acldvppDestroyBorderConfig(borderConfig: *mut acldvppBorderConfig) -> aclError;
            /// Queues the copy of a picture with a border around it.
            fn acldvppVpcMakeBorderAsync(channelDesc: *const acldvppChannelDesc, inputDesc: *const acldvppPicDesc, outputDesc: *mut acldvppPicDesc, borderConfig: *const acldvppBorderConfig, stream: aclrtStream) -> aclError;
            /// Queues the counting of the pixel values of a picture.
            fn acldvppVpcCalcHistAsync(channelDesc: *mut acldvppChannelDesc, srcPicDesc: *mut acldvppPicDesc, hist: *mut acldvppHist, reserve: *mut c_void, stream: aclrtStream) -> aclError;
            /// Creates a histogram.
            fn acldvppCreateHist() -> *mut acldvppHist;
            /// Destroys a histogram.
            fn acldvppDestroyHist(hist: *mut acldvppHist) -> aclError;
            /// Returns the number of components of a histogram.
            fn acldvppGetHistDims(hist: *mut acldvppHist) -> u32;
            /// Returns the 256 counters of a component of a histogram.
            fn acldvppGetHistData(hist: *mut acldvppHist, dim: u32, data: *mut *mut u32, len: *mut u16) -> aclError;
            /// Returns the status that the task wrote into a histogram.
            fn acldvppGetHistRetCode(hist: *mut acldvppHist) -> u32;
            /// Sets all counters of a histogram to zero.
            fn acldvppClearHist(hist: *mut acldvppHist) -> aclError;
            /// Queues scaled copies of rectangles of several pictures, each with a border.
            fn acldvppVpcBatchCropResizeMakeBorderAsync(channelDesc: *mut acldvppChannelDesc, srcBatchPicDescs: *mut acldvppBatchPicDesc, roiNums: *mut u32, size: u32, dstBatchPicDescs: *mut acldvppBatchPicDesc, cropAreas: *mut *mut acldvppRoiConfig, borderCfgs: *mut *mut acldvppBorderConfig, resizeConfig: *mut acldvppResizeConfig, stream: aclrtStream) -> aclError;
            /// Sets a parameter of a channel.
            fn acldvppSetChannelDescParam(channelDesc: *mut acldvppChannelDesc, paramType: acldvppChannelDescParamType, length: usize, param: *const c_void) -> aclError;
            /// Returns a parameter of a channel.
            fn acldvppGetChannelDescParam(channelDesc: *const acldvppChannelDesc, paramType: acldvppChannelDescParamType, length: usize, paramRetSize: *mut usize, param: *mut c_void) -> aclError;
            /// Sets a parameter of a decoding channel.
            fn aclvdecSetChannelDescParam(channelDesc: *mut aclvdecChannelDesc, paramType: aclvdecChannelDescParamType, length: usize, param: *const c_void) -> aclError;
            /// Returns a parameter of a decoding channel.
            fn aclvdecGetChannelDescParam(channelDesc: *const aclvdecChannelDesc, paramType: aclvdecChannelDescParamType, length: usize, paramRetSize: *mut usize, param: *mut c_void) -> aclError;
            /// Returns the version of the second generation.
            fn hi_mpi_dvpp_get_version(major_version: *mut i32, minor_version: *mut i32, patch_version: *mut i32) -> i32;
            /// Initialises the second generation for this process.
            fn hi_mpi_sys_init() -> i32;
            /// Ends the second generation for this process.
            fn hi_mpi_sys_exit() -> i32;
            /// Sets the colour matrix of a channel.
            fn hi_mpi_sys_set_chn_csc_matrix(mode: hi_mod_id, chn: i32, csc_matrix: hi_csc_matrix, csc_coefficient: *mut hi_csc_coefficient) -> i32;
            /// Returns the colour matrix of a channel.
            fn hi_mpi_sys_get_chn_csc_matrix(mode: hi_mod_id, chn: i32, csc_matrix: *mut hi_csc_matrix, csc_coefficient: *mut hi_csc_coefficient) -> i32;
            /// Returns the strides and the bytes of a picture that several engines use.
            fn hi_mpi_sys_get_image_align_info(mod_type: *const hi_module_type, mod_num: u32, img_base_info: *const hi_img_base_info, img_align_info: *mut hi_img_align_info) -> i32;
            /// Creates the channel with a number for picture processing.
            fn hi_mpi_vpc_create_chn(chn: hi_vpc_chn, attr: *const hi_vpc_chn_attr) -> i32;
            /// Creates a channel for picture processing, and returns its number.
            fn hi_mpi_vpc_sys_create_chn(chnl: *mut hi_vpc_chn, attr: *const hi_vpc_chn_attr) -> i32;
            /// Destroys a channel for picture processing.
            fn hi_mpi_vpc_destroy_chn(chn: hi_vpc_chn) -> i32;
            /// Queues copies of rectangles of a picture.
            fn hi_mpi_vpc_crop(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, crop_info: *mut hi_vpc_crop_region_info, count: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the scaling of a picture.
            fn hi_mpi_vpc_resize(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, fx: f64, fy: f64, interpolation: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues scaled copies of rectangles of a picture.
            fn hi_mpi_vpc_crop_resize(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, crop_resize_info: *mut hi_vpc_crop_resize_region, count: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues scaled copies of rectangles of a picture to places in other pictures.
            fn hi_mpi_vpc_crop_resize_paste(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, crop_resize_paste_info: *mut hi_vpc_crop_resize_paste_region, count: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues scaled copies of rectangles of several pictures to places in other pictures.
            fn hi_mpi_vpc_batch_crop_resize_paste(chn: hi_vpc_chn, source_pic: *mut *const hi_vpc_pic_info, pic_num: u32, crop_resize_paste_info: *mut hi_vpc_crop_resize_paste_region, count: *mut u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues scaled copies of rectangles of a picture, each with a border.
            fn hi_mpi_vpc_crop_resize_make_border(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, crop_resize_make_border_info: *mut hi_vpc_crop_resize_border_region, count: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues scaled copies of rectangles of several pictures, each with a border.
            fn hi_mpi_vpc_batch_crop_resize_make_border(chn: hi_vpc_chn, source_pic: *mut *const hi_vpc_pic_info, pic_num: u32, crop_resize_make_border_info: *mut hi_vpc_crop_resize_border_region, count: *mut u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues copies of rectangles of a picture that are scaled twice.
            fn hi_mpi_vpc_crop_resize_resize_paste(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, crop_resize_resize_paste_info: *mut hi_vpc_crop_resize_resize_paste_region, count: u32, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the conversion of a picture to another format.
            fn hi_mpi_vpc_convert_color(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the conversion of a picture to YUV 4:2:0.
            fn hi_mpi_vpc_convert_color_to_yuv420(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the conversion of a picture to another format with a value for the alpha channel.
            fn hi_mpi_vpc_convert_color_v2(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, conf: *mut hi_csc_conf, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the copy of a picture with a border around it.
            fn hi_mpi_vpc_copy_make_border(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, make_border_info: hi_vpc_make_border_info, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the levels of a pyramid of a picture.
            fn hi_mpi_vpc_pyrdown(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, filter_level: u32, gaussian_filter: *mut [hi_s8; 5], divisor: u16, make_border_info: hi_vpc_make_border_info, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the counting of the pixel values of a picture.
            fn hi_mpi_vpc_calc_hist(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, hist_config: *mut hi_vpc_histogram_config, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the mapping of the pixel values of a picture.
            fn hi_mpi_vpc_equalize_hist(chn: hi_vpc_chn, source_pic: *const hi_vpc_pic_info, dest_pic: *mut hi_vpc_pic_info, lut_remap: *const hi_vpc_lut_remap, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the rotation of a picture.
            fn hi_mpi_vpc_rotate(chn: hi_vpc_chn, rotate_param: *const hi_rotate_param, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Queues the mirroring of a picture.
            fn hi_mpi_vpc_flip(chn: hi_vpc_chn, flip_param: *mut hi_flip_param, task_id: *mut u32, milli_sec: i32) -> i32;
            /// Waits for a task of a channel for picture processing, and returns its result.
            fn hi_mpi_vpc_get_process_result(chn: hi_vpc_chn, task_id: u32, milli_sec: i32) -> i32;
            /// Returns the bytes of a decoded picture, or 0 for a format that cannot be decoded.
            fn hi_vdec_get_pic_buf_size(type_: hi_payload_type, buf_attr: *mut hi_pic_buf_attr) -> u32;
            /// Returns the bytes that a decoder keeps of the motion of a frame, or 0 for a format without motion.
            fn hi_vdec_get_tmv_buf_size(type_: hi_payload_type, width: u32, height: u32) -> u32;
            /// Creates the channel with a number for decoding.
            fn hi_mpi_vdec_create_chn(chn: hi_vdec_chn, attr: *const hi_vdec_chn_attr) -> i32;
            /// Destroys a channel for decoding.
            fn hi_mpi_vdec_destroy_chn(chn: hi_vdec_chn) -> i32;
            /// Changes the attributes of a channel for decoding.
            fn hi_mpi_vdec_set_chn_attr(chn: hi_vdec_chn, attr: *const hi_vdec_chn_attr) -> i32;
            /// Returns the attributes of a channel for decoding.
            fn hi_mpi_vdec_get_chn_attr(chn: hi_vdec_chn, attr: *mut hi_vdec_chn_attr) -> i32;
            /// Makes a channel for decoding accept input.
            fn hi_mpi_vdec_start_recv_stream(chn: hi_vdec_chn) -> i32;
            /// Makes a channel for decoding refuse input.
            fn hi_mpi_vdec_stop_recv_stream(chn: hi_vdec_chn) -> i32;
            /// Returns the state of a channel for decoding.
            fn hi_mpi_vdec_query_status(chn: hi_vdec_chn, status: *mut hi_vdec_chn_status) -> i32;
            /// Empties a channel for decoding that was stopped.
            fn hi_mpi_vdec_reset_chn(chn: hi_vdec_chn) -> i32;
            /// Sets the parameters of a channel for decoding.
            fn hi_mpi_vdec_set_chn_param(chn: hi_vdec_chn, chn_param: *const hi_vdec_chn_param) -> i32;
            /// Returns the parameters of a channel for decoding.
            fn hi_mpi_vdec_get_chn_param(chn: hi_vdec_chn, chn_param: *mut hi_vdec_chn_param) -> i32;
            /// Queues a frame for decoding.
            fn hi_mpi_vdec_send_stream(chn: hi_vdec_chn, stream: *const hi_vdec_stream, vdec_pic_info: *mut hi_vdec_pic_info, milli_sec: i32) -> i32;
            /// Waits for a decoded frame.
            fn hi_mpi_vdec_get_frame(chn: hi_vdec_chn, frame_info: *mut hi_video_frame_info, supplement: *mut hi_vdec_supplement_info, stream: *mut hi_vdec_stream, milli_sec: i32) -> i32;
            /// Returns a decoded frame to its channel.
            fn hi_mpi_vdec_release_frame(chn: hi_vdec_chn, frame_info: *const hi_video_frame_info) -> i32;
            /// Chooses how a channel rounds odd sides of a JPEG.
            fn hi_mpi_vdec_set_jpegd_precision_mode(chn: hi_vdec_chn, mode: hi_jpegd_precision_mode) -> i32;
            /// Reads size, strides and bytes for a JPEG in host memory and an output format.
            fn hi_mpi_vdec_get_jpegd_output_info(stream: *const hi_vdec_stream, output_format: hi_pixel_format, img_info: *mut hi_img_info) -> i32;
            /// Reads size, strides and bytes from the header of a picture in host memory.
            fn hi_mpi_dvpp_get_image_info(img_type: hi_payload_type, stream: *const hi_vdec_stream, img_info: *mut hi_img_info) -> i32;
            /// Creates the channel with a number for PNG decoding.
            fn hi_mpi_pngd_create_chn(chn: hi_pngd_chn, attr: *const hi_pngd_chn_attr) -> i32;
            /// Destroys a channel for PNG decoding.
            fn hi_mpi_pngd_destroy_chn(chn: hi_pngd_chn) -> i32;
            /// Queues a PNG for decoding.
            fn hi_mpi_pngd_send_stream(chn: hi_pngd_chn, stream: *const hi_img_stream, png_pic_info: *mut hi_pic_info, milli_sec: i32) -> i32;
            /// Waits for a decoded PNG.
            fn hi_mpi_pngd_get_image_data(chn: hi_pngd_chn, png_pic_info: *mut hi_pic_info, stream: *mut hi_img_stream, milli_sec: i32) -> i32;
            /// Reads size, strides and bytes from the header of a PNG in host memory.
            fn hi_mpi_png_get_image_info(png_stream: *const hi_img_stream, img_info: *mut hi_img_info) -> i32;
            /// Creates the channel with a number for encoding.
            fn hi_mpi_venc_create_chn(chn: hi_venc_chn, attr: *const hi_venc_chn_attr) -> i32;
            /// Destroys a channel for encoding.
            fn hi_mpi_venc_destroy_chn(chn: hi_venc_chn) -> i32;
            /// Makes a channel for encoding accept pictures.
            fn hi_mpi_venc_start_chn(chn: hi_venc_chn, recv_param: *const hi_venc_start_param) -> i32;
            /// Makes a channel for encoding refuse pictures.
            fn hi_mpi_venc_stop_chn(chn: hi_venc_chn) -> i32;
            /// Returns the state of a channel for encoding.
            fn hi_mpi_venc_query_status(chn: hi_venc_chn, status: *mut hi_venc_chn_status) -> i32;
            /// Waits for an encoded picture.
            fn hi_mpi_venc_get_stream(chn: hi_venc_chn, stream: *mut hi_venc_stream, milli_sec: i32) -> i32;
            /// Returns an encoded picture to its channel.
            fn hi_mpi_venc_release_stream(chn: hi_venc_chn, stream: *mut hi_venc_stream) -> i32;
            /// Queues a picture for encoding.
            fn hi_mpi_venc_send_frame(chn: hi_venc_chn, frame: *const hi_video_frame_info, milli_sec: i32) -> i32;
            /// Queues a picture for JPEG encoding into a buffer of the program.
            fn hi_mpi_venc_send_jpege_frame(chn: hi_venc_chn, frame: *const hi_video_frame_info, jpege_stream: *const hi_img_stream, milli_sec: i32) -> i32;
            /// Returns the bytes that the JPEG encoding of a picture needs at most.
            fn hi_mpi_venc_get_jpege_predicted_size(frame: *const hi_video_frame_info, jpeg_param: *const hi_venc_jpeg_param, size: *mut u32) -> i32;
            /// Sets the JPEG parameters of a channel for encoding.
            fn hi_mpi_venc_set_jpeg_param(chn: hi_venc_chn, jpeg_param: *const hi_venc_jpeg_param) -> i32;
            /// Returns the JPEG parameters of a channel for encoding.
            fn hi_mpi_venc_get_jpeg_param(chn: hi_venc_chn, jpeg_param: *mut hi_venc_jpeg_param) -> i32;
        }
    };
}
media_functions!(define);

#[cfg(feature = "loaded")]
pub(crate) use media_functions;
