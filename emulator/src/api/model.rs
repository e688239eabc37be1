//! The functions of models.

use ascendcl_sys::ModelTable;

use super::refused;
use crate::memory::random;
#[cfg(feature = "models")]
use crate::model;

/// The table of this area.
#[cfg(feature = "models")]
pub(super) const TABLE: ModelTable = table!(ModelTable {
    model {
        aclmdlLoadFromFile, aclmdlLoadFromFileWithMem, aclmdlLoadFromMem, aclmdlLoadFromMemWithMem,
        aclmdlCreateConfigHandle, aclmdlDestroyConfigHandle, aclmdlSetConfigOpt, aclmdlLoadWithConfig, aclmdlQuerySize,
        aclmdlQuerySizeFromMem, aclmdlUnload, aclmdlCreateDesc, aclmdlDestroyDesc, aclmdlGetDesc, aclmdlGetDescFromFile,
        aclmdlGetDescFromMem, aclmdlGetNumInputs, aclmdlGetNumOutputs, aclmdlGetInputSizeByIndex,
        aclmdlGetOutputSizeByIndex, aclmdlGetInputDims, aclmdlGetInputDimsV2, aclmdlGetInputDimsRange,
        aclmdlGetOutputDims, aclmdlGetCurOutputDims, aclmdlGetInputNameByIndex, aclmdlGetOutputNameByIndex,
        aclmdlGetTensorRealName, aclmdlGetInputIndexByName, aclmdlGetOutputIndexByName, aclmdlGetInputFormat,
        aclmdlGetOutputFormat, aclmdlGetInputDataType, aclmdlGetOutputDataType, aclmdlGetOpAttr, aclmdlGetDynamicBatch,
        aclmdlGetDynamicHW, aclmdlGetInputDynamicGearCount, aclmdlGetInputDynamicDims, aclmdlCreateDataset,
        aclmdlDestroyDataset, aclmdlAddDatasetBuffer, aclmdlGetDatasetNumBuffers, aclmdlGetDatasetBuffer,
        aclmdlSetDatasetTensorDesc, aclmdlGetDatasetTensorDesc, aclmdlSetDynamicBatchSize, aclmdlSetDynamicHWSize,
        aclmdlSetInputDynamicDims, aclmdlExecute, aclmdlExecuteAsync, aclmdlExecuteV2, aclmdlCreateExecConfigHandle,
        aclmdlDestroyExecConfigHandle, aclmdlSetExecConfigOpt, aclCreateTensorDesc, aclDestroyTensorDesc,
        aclGetTensorDescType, aclGetTensorDescFormat, aclGetTensorDescSize, aclGetTensorDescElementCount,
        aclGetTensorDescNumDims, aclGetTensorDescDimV2, aclGetTensorDescDim, aclGetTensorDescDimRange,
        aclSetTensorShapeRange, aclSetTensorValueRange, aclSetTensorDescName, aclGetTensorDescName,
        aclSetTensorStorageFormat, aclSetTensorStorageShape, aclSetTensorFormat, aclSetTensorShape,
        aclSetTensorOriginFormat, aclSetTensorOriginShape, aclGetTensorDescByIndex, aclGetTensorDescAddress,
        aclSetTensorDynamicInput, aclSetTensorConst, aclSetTensorPlaceMent, aclmdlCreateAIPP, aclmdlDestroyAIPP,
        aclmdlGetAippDataSize, aclmdlSetAIPPInputFormat, aclmdlSetAIPPCscParams, aclmdlSetAIPPRbuvSwapSwitch,
        aclmdlSetAIPPAxSwapSwitch, aclmdlSetAIPPSrcImageSize, aclmdlSetAIPPScfParams, aclmdlSetAIPPCropParams,
        aclmdlSetAIPPPaddingParams, aclmdlSetAIPPDtcPixelMean, aclmdlSetAIPPDtcPixelMin, aclmdlSetAIPPPixelVarReci,
        aclmdlSetInputAIPP, aclmdlSetAIPPByInputIndex, aclmdlGetAippType, aclmdlGetFirstAippInfo,
    }
    ..OTHERS
});

/// The table of this area without models.
#[cfg(not(feature = "models"))]
pub(super) const TABLE: ModelTable = OTHERS;

/// The functions that need no model: those of graphs, and what the emulator refuses.
const OTHERS: ModelTable = table!(ModelTable {
    random {
        aclrtRandomNumAsync,
    }
    ..refused::MODEL
});
