//! Models, kernels and model instances: structures (`acl/acl_mdl.h`, `acl/acl_rt.h`, ACL 1.17).

use core::ffi::{c_char, c_void};

use super::aclAippExtendInfo;
use crate::types::{
    ACL_DIM_ENDPOINTS, ACL_MAX_BATCH_NUM, ACL_MAX_DIM_CNT, ACL_MAX_HW_NUM, ACL_MAX_SHAPE_COUNT,
    ACL_MAX_TENSOR_NAME_LEN, aclAippInputFormat, aclDataType, aclFormat, aclrtBinaryLoadOptionType,
    aclrtEngineType, aclrtLaunchKernelAttrId, aclrtRandomNumFuncType,
};

union! {
    /// The value of an option of loading. The option names the valid field.
    aclrtBinaryLoadOptionValue {
        /// The value of `ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD`.
        isLazyLoad: u32,
        /// The value of `ACL_RT_BINARY_LOAD_OPT_MAGIC`.
        magic: u32,
        /// The value of `ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE`.
        cpuKernelMode: i32,
        /// Reserved.
        rsv: [u32; 4],
    }
}

/// An option of loading a kernel binary.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtBinaryLoadOption {
    /// The option.
    pub type_: aclrtBinaryLoadOptionType,
    /// The value of the option.
    pub value: aclrtBinaryLoadOptionValue,
}

/// The options of loading a kernel binary.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtBinaryLoadOptions {
    /// The first option.
    pub options: *mut aclrtBinaryLoadOption,
    /// The number of options.
    pub numOpt: usize,
}

/// Microseconds in two words.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtTimeoutUs {
    /// The lower word.
    pub timeoutLow: u32,
    /// The higher word.
    pub timeoutHigh: u32,
}

union! {
    /// The value of an attribute of a launch. The attribute names the valid field.
    aclrtLaunchKernelAttrValue {
        /// The scheduling of blocks.
        schemMode: u8,
        /// The older name of `dynUBufSize`.
        localMemorySize: u32,
        /// Bytes of the unified buffer.
        dynUBufSize: u32,
        /// The cores that the kernel runs on.
        engineType: aclrtEngineType,
        /// The first block.
        blockDimOffset: u32,
        /// Whether nothing of the task is fetched ahead.
        isBlockTaskPrefetch: u8,
        /// Whether its data is dumped.
        isDataDump: u8,
        /// A timeout in seconds.
        timeout: u16,
        /// A timeout in microseconds.
        timeoutUs: aclrtTimeoutUs,
        /// Reserved.
        rsv: [u32; 4],
    }
}

/// An attribute of a launch.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtLaunchKernelAttr {
    /// The attribute.
    pub id: aclrtLaunchKernelAttrId,
    /// The value of the attribute.
    pub value: aclrtLaunchKernelAttrValue,
}

/// The attributes of a launch.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtLaunchKernelCfg {
    /// The first attribute.
    pub attrs: *mut aclrtLaunchKernelAttr,
    /// The number of attributes.
    pub numAttrs: usize,
}

/// A pointer inside of arguments, to data behind them.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtPlaceHolderInfo {
    /// The offset of the pointer among the arguments, in bytes.
    pub addrOffset: u32,
    /// The offset of the data that the pointer is set to, in bytes.
    pub dataOffset: u32,
}

/// The shape of a launch of threads.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct dim3 {
    /// The first extent.
    pub x: u32,
    /// The second extent.
    pub y: u32,
    /// The third extent.
    pub z: u32,
}

/// A number, or its address in device memory.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtRandomParaInfo {
    /// Whether it is an address.
    pub isAddr: u8,
    /// The number or the address.
    pub valueOrAddr: [u8; 8],
    /// Bytes of the number.
    pub size: u8,
    /// Reserved.
    pub rsv: [u8; 6],
}

/// Random bits of a dropout.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtDropoutBitmaskInfo {
    /// The ratio.
    pub dropoutRation: aclrtRandomParaInfo,
}

/// A uniform distribution.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtUniformDisInfo {
    /// The lower bound.
    pub min: aclrtRandomParaInfo,
    /// The upper bound.
    pub max: aclrtRandomParaInfo,
}

/// A normal distribution.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct aclrtNormalDisInfo {
    /// Its mean.
    pub mean: aclrtRandomParaInfo,
    /// Its standard deviation.
    pub stddev: aclrtRandomParaInfo,
}

union! {
    /// The parameters of a distribution. The kind of the distribution names the valid field. The union has no name in C.
    aclrtRandomNumFuncParaInfo_paramInfo {
        /// Random bits.
        dropoutBitmaskInfo: aclrtDropoutBitmaskInfo,
        /// Uniform.
        uniformDisInfo: aclrtUniformDisInfo,
        /// Normal, truncated or not.
        normalDisInfo: aclrtNormalDisInfo,
    }
}

/// A distribution with its kind.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtRandomNumFuncParaInfo {
    /// The kind.
    pub funcType: aclrtRandomNumFuncType,
    /// Its parameters.
    pub paramInfo: aclrtRandomNumFuncParaInfo_paramInfo,
}

/// Random numbers to make (`aclrtRandomNumAsync`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclrtRandomNumTaskInfo {
    /// The type of the numbers.
    pub dataType: aclDataType,
    /// The distribution of the numbers.
    pub randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo,
    /// Device memory for the parameters, or null.
    pub randomParaAddr: *mut c_void,
    /// The address of the results.
    pub randomResultAddr: *mut c_void,
    /// The address of the counter, 16 bytes.
    pub randomCounterAddr: *mut c_void,
    /// The seed.
    pub randomSeed: aclrtRandomParaInfo,
    /// The number of results.
    pub randomNum: aclrtRandomParaInfo,
    /// Reserved.
    pub rsv: [u8; 8],
}

/// The name and the shape of an input or output of a model.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlIODims {
    /// The name, a C string.
    pub name: [c_char; ACL_MAX_TENSOR_NAME_LEN],
    /// The number of dimensions.
    pub dimCount: usize,
    /// The dimensions; -1 is one that a gear decides.
    pub dims: [i64; ACL_MAX_DIM_CNT],
}

/// The smallest and the largest value of each dimension of an input.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlIODimsRange {
    /// The number of ranges.
    pub rangeCount: usize,
    /// The ranges; a largest value of -1 is no limit.
    pub range: [[i64; ACL_DIM_ENDPOINTS]; ACL_MAX_DIM_CNT],
}

/// The batch sizes that a model was compiled for.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlBatch {
    /// The number of batch sizes.
    pub batchCount: usize,
    /// The batch sizes.
    pub batch: [u64; ACL_MAX_BATCH_NUM],
}

/// The sizes of pictures that a model was compiled for.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclmdlHW {
    /// The number of sizes.
    pub hwCount: usize,
    /// The sizes, each a height and a width.
    pub hw: [[u64; 2]; ACL_MAX_HW_NUM],
}

/// A shape of an input before and after the preprocessing of pictures.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclAippDims {
    /// The shape before.
    pub srcDims: aclmdlIODims,
    /// The bytes before.
    pub srcSize: usize,
    /// The shape after.
    pub aippOutdims: aclmdlIODims,
    /// The bytes after.
    pub aippOutSize: usize,
}

/// The preprocessing of pictures that an input of a model was compiled with.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct aclAippInfo {
    /// The pixel format of the pictures.
    pub inputFormat: aclAippInputFormat,
    /// The width of the pictures.
    pub srcImageSizeW: i32,
    /// The height of the pictures.
    pub srcImageSizeH: i32,
    /// Whether a part of the picture is used.
    pub cropSwitch: i8,
    /// The first column of the part.
    pub loadStartPosW: i32,
    /// The first row of the part.
    pub loadStartPosH: i32,
    /// The width of the part.
    pub cropSizeW: i32,
    /// The height of the part.
    pub cropSizeH: i32,
    /// Whether the picture is scaled.
    pub resizeSwitch: i8,
    /// The width after scaling.
    pub resizeOutputW: i32,
    /// The height after scaling.
    pub resizeOutputH: i32,
    /// Whether the picture gets a border.
    pub paddingSwitch: i8,
    /// The border on the left.
    pub leftPaddingSize: i32,
    /// The border on the right.
    pub rightPaddingSize: i32,
    /// The border at the top.
    pub topPaddingSize: i32,
    /// The border at the bottom.
    pub bottomPaddingSize: i32,
    /// Whether colours are converted.
    pub cscSwitch: i8,
    /// Whether red and blue, or U and V, change places.
    pub rbuvSwapSwitch: i8,
    /// Whether the alpha channel goes from the front to the end.
    pub axSwapSwitch: i8,
    /// Whether a picture is one row.
    pub singleLineMode: i8,
    /// The matrix of the conversion in row 0, column 0.
    pub matrixR0C0: i32,
    /// The matrix of the conversion in row 0, column 1.
    pub matrixR0C1: i32,
    /// The matrix of the conversion in row 0, column 2.
    pub matrixR0C2: i32,
    /// The matrix of the conversion in row 1, column 0.
    pub matrixR1C0: i32,
    /// The matrix of the conversion in row 1, column 1.
    pub matrixR1C1: i32,
    /// The matrix of the conversion in row 1, column 2.
    pub matrixR1C2: i32,
    /// The matrix of the conversion in row 2, column 0.
    pub matrixR2C0: i32,
    /// The matrix of the conversion in row 2, column 1.
    pub matrixR2C1: i32,
    /// The matrix of the conversion in row 2, column 2.
    pub matrixR2C2: i32,
    /// The number added to channel 0 after the conversion.
    pub outputBias0: i32,
    /// The number added to channel 1 after the conversion.
    pub outputBias1: i32,
    /// The number added to channel 2 after the conversion.
    pub outputBias2: i32,
    /// The number subtracted from channel 0 before the conversion.
    pub inputBias0: i32,
    /// The number subtracted from channel 1 before the conversion.
    pub inputBias1: i32,
    /// The number subtracted from channel 2 before the conversion.
    pub inputBias2: i32,
    /// The mean of channel 0.
    pub meanChn0: i32,
    /// The mean of channel 1.
    pub meanChn1: i32,
    /// The mean of channel 2.
    pub meanChn2: i32,
    /// The mean of channel 3.
    pub meanChn3: i32,
    /// The minimum of channel 0.
    pub minChn0: f32,
    /// The minimum of channel 1.
    pub minChn1: f32,
    /// The minimum of channel 2.
    pub minChn2: f32,
    /// The minimum of channel 3.
    pub minChn3: f32,
    /// The factor of channel 0.
    pub varReciChn0: f32,
    /// The factor of channel 1.
    pub varReciChn1: f32,
    /// The factor of channel 2.
    pub varReciChn2: f32,
    /// The factor of channel 3.
    pub varReciChn3: f32,
    /// The memory layout of the input.
    pub srcFormat: aclFormat,
    /// The element type of the input.
    pub srcDatatype: aclDataType,
    /// The number of dimensions of the input.
    pub srcDimNum: usize,
    /// The number of shapes.
    pub shapeCount: usize,
    /// The shapes.
    pub outDims: [aclAippDims; ACL_MAX_SHAPE_COUNT],
    /// Reserved; null.
    pub aippExtend: *mut aclAippExtendInfo,
}
