/* Exchanged operators of a task group: an update happens in the order of its stream. */
#include "check.h"
#include "aclnnop/aclnn_add.h"

static aclTensor *tensor(void *memory) {
    const int64_t size[1] = {4}, stride[1] = {1};
    aclTensor *made = aclCreateTensor(size, 1, ACL_FLOAT, stride, 0, ACL_FORMAT_ND, size, 1, memory);
    EXPECT(made != NULL);
    return made;
}

enum { WORKSPACE = 1 << 20 };
static void *workspace;

/* out = one + scale * one, on a stream. */
static void add(aclTensor *one, float scale, aclTensor *out, aclrtStream stream) {
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    aclScalar *alpha = aclCreateScalar(&scale, ACL_FLOAT);
    CHECK(aclnnAddGetWorkspaceSize(one, one, alpha, out, &size, &executor));
    EXPECT(size <= WORKSPACE);
    CHECK(aclnnAdd(workspace, size, executor, stream));
    CHECK(aclDestroyScalar(alpha));
}

static float first(void *memory) {
    float number = 0;
    CHECK(aclrtMemcpy(&number, sizeof number, memory, sizeof number, ACL_MEMCPY_DEVICE_TO_HOST));
    return number;
}

int main(void) {
    begin();
    const float ones[4] = {1, 1, 1, 1};
    aclrtStream stream = new_stream(), update = new_stream();
    aclrtEvent go = NULL, over = NULL;
    CHECK(aclrtCreateEventWithFlag(&go, ACL_EVENT_EXTERNAL));
    CHECK(aclrtCreateEventExWithFlag(&over, ACL_EVENT_SYNC));
    void *from = device_memory(sizeof ones), *to = device_memory(sizeof ones);
    workspace = device_memory(WORKSPACE);
    CHECK(aclrtMemcpy(from, sizeof ones, ones, sizeof ones, ACL_MEMCPY_HOST_TO_DEVICE));
    aclTensor *one = tensor(from), *out = tensor(to);

    aclmdlRI instance = NULL;
    aclrtTaskGrp group = NULL;
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    CHECK(aclrtStreamWaitEvent(stream, go));
    CHECK(aclrtResetEvent(go, stream));
    CHECK(aclmdlRICaptureTaskGrpBegin(stream));
    add(one, 1, out, stream);
    CHECK(aclmdlRICaptureTaskGrpEnd(stream, &group));
    CHECK(aclmdlRICaptureEnd(stream, &instance));

    /* A run that waits before the group uses the operators that are current when the group's turn comes. */
    CHECK(aclmdlRIExecuteAsync(instance, stream));
    CHECK(aclmdlRICaptureTaskUpdateBegin(update, group));
    add(one, 2, out, update);
    CHECK(aclmdlRICaptureTaskUpdateEnd(update));
    CHECK(aclrtRecordEvent(go, update));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(first(to) == 3);

    /* An update that waits for a run does not affect that run. */
    CHECK(aclmdlRIExecuteAsync(instance, stream));
    CHECK(aclrtRecordEvent(over, stream));
    CHECK(aclrtStreamWaitEvent(update, over));
    CHECK(aclmdlRICaptureTaskUpdateBegin(update, group));
    add(one, 9, out, update);
    CHECK(aclmdlRICaptureTaskUpdateEnd(update));
    aclrtStream other = new_stream();
    CHECK(aclrtRecordEvent(go, other));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(first(to) == 3);
    CHECK(aclrtSynchronizeStream(update));
    CHECK(aclmdlRIExecuteAsync(instance, stream));
    CHECK(aclrtRecordEvent(go, other));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(first(to) == 10);

    CHECK(aclmdlRIDestroy(instance));
    CHECK(aclDestroyTensor(one));
    CHECK(aclDestroyTensor(out));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(to));
    CHECK(aclrtFree(workspace));
    CHECK(aclrtDestroyEvent(go));
    CHECK(aclrtDestroyEvent(over));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtDestroyStream(update));
    CHECK(aclrtDestroyStream(other));
    end();
    return 0;
}
