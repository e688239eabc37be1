/* AscendCL as the emulator knows it. Written by `cargo xtask capi` from the lists of ascendcl-sys. */
#ifndef ASCENDCL_EMULATOR_ACL_H
#define ASCENDCL_EMULATOR_ACL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
@DECLARATIONS@
/* What headers of C define beside the declarations, and programs use: names of inputs, limits, one structure. */
#define ACL_DYNAMIC_TENSOR_NAME "ascend_mbatch_shape_data"
#define ACL_DYNAMIC_AIPP_NAME "ascend_dynamic_aipp_data"
#define ACL_ATTR_NAME_DATA_DUMP_ORIGIN_OP_NAMES "_datadump_original_op_names"
#define ACL_MDL_LOAD_FROM_FILE_WITH_Q 5
#define ACL_MDL_LOAD_FROM_MEM_WITH_Q 6
#define ACL_WORKSPACE_MEM_OPTIMIZE_DEFAULT 0
#define ACL_WORKSPACE_MEM_OPTIMIZE_INPUTOUTPUT 1
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE
#define ACL_OP_DUMP_OP_AICORE_ARGS 0x00000001U
#define ACL_DUMP_MAX_FILE_PATH_LENGTH 4096
typedef struct acldumpChunk {
    char fileName[ACL_DUMP_MAX_FILE_PATH_LENGTH];
    uint32_t bufLen;
    uint32_t isLastChunk;
    int64_t offset;
    int32_t flag;
    uint8_t dataBuf[];
} acldumpChunk;

/* The one function that is in no list. */
void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...);
#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)

/* The one function that the header of C defines itself. The version is that of CANN 8.1, whose fields every release reads. */
static inline void HcclCommConfigInit(HcclCommConfig *config) {
    char *bytes = (char *)config;
    for (size_t index = 0; index < sizeof(HcclCommConfig); index++) {
        bytes[index] = 0;
    }
    config->head.size = 300;
    config->head.magic = 0xf0f0f0f0;
    config->head.version = 5;
    config->hcclBufferSize = HCCL_COMM_VALUE_NOT_SET;
    config->hcclDeterministic = HCCL_COMM_VALUE_NOT_SET;
    config->hcclRdmaTrafficClass = HCCL_COMM_VALUE_NOT_SET;
    config->hcclRdmaServiceLevel = HCCL_COMM_VALUE_NOT_SET;
}

#ifdef __cplusplus
}
#endif
#endif
