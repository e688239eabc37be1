//! Structures of AscendCL, under their C names. Opaque ones exist behind pointers only.

pub use collective::*;
pub use device::*;
pub use event::*;
pub use graph::*;
pub use media::*;
pub use memory::*;
pub use model::*;
pub use op::*;
pub use profiling::*;
pub use runtime::*;
pub use stream::*;

/// Declares opaque types: only C code knows their fields.
macro_rules! opaque {
    ($( $(#[$doc:meta])* $name:ident; )*) => {$(
        $(#[$doc])*
        #[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
            // Neither `Send`, `Sync` nor `Unpin`: nothing is known about what lies there.
            _marker: core::marker::PhantomData<(*mut u8, core::marker::PhantomPinned)>,
        }
    )*};
}

/// Declares unions. A field beside the union names the valid field, so a union prints as its name only.
macro_rules! union {
    ($(#[$doc:meta])* $name:ident { $( $(#[$field_doc:meta])* $field:ident: $type:ty, )* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        pub union $name {
            $( $(#[$field_doc])* pub $field: $type, )*
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    };
}

mod collective;
mod device;
mod event;
mod graph;
mod media;
mod memory;
mod model;
mod op;
mod profiling;
mod runtime;
mod stream;

opaque! {
    /// An address with a size (`aclCreateDataBuffer`).
    aclDataBuffer;
    /// A list of data buffers, the inputs or the outputs of a run (`aclmdlCreateDataset`).
    aclmdlDataset;
    /// The description of a model (`aclmdlCreateDesc`).
    aclmdlDesc;
    /// Options of loading a model (`aclmdlCreateConfigHandle`).
    aclmdlConfigHandle;
    /// Options of a run of a model (`aclmdlCreateExecConfigHandle`).
    aclmdlExecConfigHandle;
    /// An element type, a shape and a memory layout (`aclCreateTensorDesc`).
    aclTensorDesc;
    /// A view of device memory with shape, strides and data type (`aclCreateTensor`).
    aclTensor;
    /// A host value with a data type (`aclCreateScalar`).
    aclScalar;
    /// Whole numbers of the host (`aclCreateIntArray`).
    aclIntArray;
    /// Numbers of the host (`aclCreateFloatArray`).
    aclFloatArray;
    /// Truth values of the host (`aclCreateBoolArray`).
    aclBoolArray;
    /// A list of tensors, which it owns (`aclCreateTensorList`).
    aclTensorList;
    /// A list of scalars, which it owns (`aclCreateScalarList`).
    aclScalarList;
    /// The executor of an operator: the first phase makes it, the second phase runs it.
    aclOpExecutor;
    /// The attributes of an operator that a text names (`aclopCreateAttr`).
    aclopAttr;
    /// A compiled operator that was looked up (`aclopCreateHandle`).
    aclopHandle;
    /// The kernel that a compile function chooses.
    aclopKernelDesc;
    /// Options of writing the graph of an operator (`aclCreateGraphDumpOpt`).
    aclGraphDumpOption;
    /// Parameters of the preprocessing of pictures (`aclmdlCreateAIPP`).
    aclmdlAIPP;
    /// Reserved.
    aclAippExtendInfo;
    /// A failed task, as the hook for failed tasks receives it.
    aclrtExceptionInfo;
    /// The attributes of the groups of cores (`aclrtCreateGroupInfo`).
    aclrtGroupInfo;
    /// Reserved.
    aclrtUtilizationExtendInfo;
    /// A tensor in the dump of a failure.
    acldumpTensorInfo;
    /// The description of a picture (`acldvppCreatePicDesc`).
    acldvppPicDesc;
    /// A list of picture descriptions (`acldvppCreateBatchPicDesc`).
    acldvppBatchPicDesc;
    /// A rectangle of a picture (`acldvppCreateRoiConfig`).
    acldvppRoiConfig;
    /// Options of scaling (`acldvppCreateResizeConfig`).
    acldvppResizeConfig;
    /// A border around a picture (`acldvppCreateBorderConfig`).
    acldvppBorderConfig;
    /// A map of pixel values (`acldvppCreateLutMap`).
    acldvppLutMap;
    /// The description of a channel, and the channel (`acldvppCreateChannelDesc`).
    acldvppChannelDesc;
    /// Options of JPEG encoding (`acldvppCreateJpegeConfig`).
    acldvppJpegeConfig;
    /// The description of a channel for video decoding (`aclvdecCreateChannelDesc`).
    aclvdecChannelDesc;
    /// The description of a coded stream (`acldvppCreateStreamDesc`).
    acldvppStreamDesc;
    /// Options of a frame that is decoded (`aclvdecCreateFrameConfig`).
    aclvdecFrameConfig;
    /// The description of a channel for video encoding (`aclvencCreateChannelDesc`).
    aclvencChannelDesc;
    /// Options of a frame that is encoded (`aclvencCreateFrameConfig`).
    aclvencFrameConfig;
    /// A histogram (`acldvppCreateHist`).
    acldvppHist;
    /// What is profiled (`aclprofCreateConfig`).
    aclprofConfig;
    /// Reserved.
    aclprofAicoreEvents;
    /// Which data of a model is profiled (`aclprofCreateSubscribeConfig`).
    aclprofSubscribeConfig;
    /// A step with its start and its end (`aclprofCreateStepInfo`).
    aclprofStepInfo;
}
