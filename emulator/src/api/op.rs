//! The functions of operators.

use ascendcl_sys::OpTable;

use crate::{op, refusal};

/// The table of this area.
pub(super) const TABLE: OpTable = table!(OpTable {
    op {
        aclCreateTensor, aclDestroyTensor, aclCreateScalar, aclDestroyScalar, aclCreateIntArray, aclDestroyIntArray,
        aclGetIntArraySize, aclCreateFloatArray, aclDestroyFloatArray, aclGetFloatArraySize, aclCreateBoolArray,
        aclDestroyBoolArray, aclGetBoolArraySize, aclCreateTensorList, aclDestroyTensorList, aclGetTensorListSize,
        aclCreateScalarList, aclDestroyScalarList, aclGetScalarListSize, aclGetViewShape, aclGetViewStrides,
        aclGetViewOffset, aclGetFormat, aclGetDataType, aclSetRawTensorAddr, aclGetRawTensorAddr, aclnnInit,
        aclnnFinalize, aclnnCalculateMatmulWeightSize, aclnnCalculateMatmulWeightSizeV2, aclSetAclOpExecutorRepeatable,
        aclDestroyAclOpExecutor, aclSetInputTensorAddr, aclSetOutputTensorAddr, aclSetTensorAddr,
        aclSetDynamicInputTensorAddr, aclSetDynamicOutputTensorAddr, aclSetDynamicTensorAddr, aclopCreateAttr,
        aclopDestroyAttr, aclopSetAttrBool, aclopSetAttrInt, aclopSetAttrFloat, aclopSetAttrString,
        aclopSetAttrDataType, aclopSetAttrListDataType, aclopSetAttrListBool, aclopSetAttrListInt,
        aclopSetAttrListFloat, aclopSetAttrListString, aclopSetAttrListListInt, aclopSetModelDir, aclopLoad,
        aclopExecute, aclopExecuteV2, aclopCreateHandle, aclopDestroyHandle, aclopExecWithHandle, aclopCast,
        aclopCreateHandleForCast, aclopSetMaxOpQueueNum, aclopCompile, aclopCompileAndExecute, aclopCompileAndExecuteV2,
        aclSetCompileopt, aclGetCompileoptSize, aclGetCompileopt, aclopSetCompileFlag, aclCreateGraphDumpOpt,
        aclDestroyGraphDumpOpt,
    }
    refusal {
        aclopCreateKernel, aclopRegisterCompileFunc, aclopUnregisterCompileFunc, aclopSetKernelArgs,
        aclopSetKernelWorkspaceSizes, aclopUpdateParams, aclopInferShape, aclGenGraphAndDumpForOp,
    }
    ..OpTable {
        AclSetInputTensorAddr: op::aclSetInputTensorAddr,
        AclSetOutputTensorAddr: op::aclSetOutputTensorAddr,
        AclSetTensorAddr: op::aclSetTensorAddr,
        AclSetDynamicInputTensorAddr: op::aclSetDynamicInputTensorAddr,
        AclSetDynamicOutputTensorAddr: op::aclSetDynamicOutputTensorAddr,
        AclSetDynamicTensorAddr: op::aclSetDynamicTensorAddr,
        ..op::OPERATORS
    }
});
