/* Process, error texts, data types, data buffers and versions of packages. */
#include "check.h"

int main(void) {
    int32_t major = 0, minor = 0, patch = -1;
    CHECK(aclrtGetVersion(&major, &minor, &patch));
    EXPECT(major == 1 && patch >= 0);
    RETURNS(ACL_ERROR_INVALID_FILE, aclInit("/nonexistent.json"));
    CHECK(aclInit(NULL));
    RETURNS(ACL_ERROR_REPEAT_INITIALIZE, aclInit(NULL));

    /* The error text of a thread without a context always ends with a note that there is no context. */
    RETURNS(ACL_ERROR_RT_CONTEXT_NULL, aclrtSynchronizeDevice());
    SAYS("aclrtSynchronizeDevice");
    EXPECT(strstr(aclGetRecentErrMsg(), "No valid context") != NULL);
    EXPECT(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_SUCCESS);

    aclrtRunMode mode = ACL_DEVICE;
    CHECK(aclrtGetRunMode(&mode));
    EXPECT(mode == ACL_HOST);
    EXPECT(aclDataTypeSize(ACL_FLOAT) == 4 && aclDataTypeSize(ACL_BF16) == 2);
    EXPECT(aclFloat16ToFloat(aclFloatToFloat16(1.5f)) == 1.5f);

    char package[] = "runtime", path[] = "../runtime";
    int32_t version = 0;
    CHECK(unsetenv("ASCEND_HOME_PATH"));
    RETURNS(ACL_ERROR_INVALID_FILE, aclsysGetVersionNum(package, &version));
    SAYS("ASCEND_HOME_PATH");
    RETURNS(ACL_ERROR_INVALID_FILE, aclsysGetVersionNum(path, &version));
    RETURNS(ACL_ERROR_INVALID_PARAM, aclsysGetVersionNum(package, NULL));

    char bytes[8];
    aclDataBuffer *buffer = aclCreateDataBuffer(bytes, sizeof bytes);
    EXPECT(aclGetDataBufferAddr(buffer) == bytes);
    EXPECT(aclGetDataBufferSizeV2(buffer) == sizeof bytes);
    CHECK(aclDestroyDataBuffer(buffer));

    CHECK(aclFinalize());
    RETURNS(ACL_ERROR_REPEAT_FINALIZE, aclFinalize());
    return 0;
}
