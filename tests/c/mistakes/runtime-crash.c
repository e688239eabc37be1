/* A task group takes operators only. The runtime crashes in this fill. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    void *memory = device_memory(64);
    aclrtTaskGrp group = NULL;
    aclmdlRI instance = NULL;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    CHECK(aclmdlRICaptureTaskGrpBegin(stream));
    RETURNS(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, aclrtMemsetAsync(memory, 64, 0, 64, stream)); /* here */
    RETURNS(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT, aclmdlRICaptureTaskGrpEnd(stream, &group));
    RETURNS(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED, aclmdlRICaptureEnd(stream, &instance));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
