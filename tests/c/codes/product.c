/* A product refuses what its manual does not list, and says so: with ASCENDCL_EMULATOR_SOC=Ascend310B4 */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    void *memory = device_memory(4096);
    CHECK(aclrtMemset(memory, 4096, 0, 4096));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    const char *text = aclGetRecentErrMsg();
    EXPECT(text != NULL && strstr(text, "Ascend310B4") != NULL && strstr(text, "does not support") != NULL);
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
