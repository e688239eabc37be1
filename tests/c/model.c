/* Model instances: captures, builds from persistent streams, conditional tasks, and the codes for misuse. */
#include "check.h"

static void fill(void *memory, int value, aclrtStream stream) {
    CHECK(aclrtMemsetAsync(memory, 64, value, 64, stream));
}

static char first(void *memory) {
    char byte = 0;
    CHECK(aclrtMemcpy(&byte, 1, memory, 1, ACL_MEMCPY_DEVICE_TO_HOST));
    return byte;
}

static aclmdlRICaptureStatus status_of(aclrtStream stream) {
    aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    aclmdlRI instance = NULL;
    CHECK(aclmdlRICaptureGetInfo(stream, &status, &instance));
    return status;
}

/* Two streams in one capture, run three times. */
static void capture(void) {
    aclrtStream one = new_stream(), two = new_stream();
    void *from = device_memory(64), *to = device_memory(64);
    aclrtEvent fork = NULL, join = NULL;
    CHECK(aclrtCreateEventExWithFlag(&fork, ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventExWithFlag(&join, ACL_EVENT_SYNC));
    CHECK(aclrtMemset(to, 64, 0, 64));
    CHECK(aclmdlRICaptureBegin(one, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    fill(from, 5, one);
    CHECK(aclrtRecordEvent(fork, one));
    CHECK(aclrtStreamWaitEvent(two, fork));
    EXPECT(status_of(two) == ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE);
    CHECK(aclrtMemcpyAsync(to, 64, from, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, two));
    CHECK(aclrtRecordEvent(join, two));
    CHECK(aclrtStreamWaitEvent(one, join));
    fill(from, 6, one);
    aclmdlRI instance = NULL;
    CHECK(aclmdlRICaptureEnd(one, &instance));
    EXPECT(status_of(one) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    CHECK(aclrtSynchronizeDevice());
    EXPECT(first(to) == 0);
    for (int round = 0; round < 3; round++) {
        CHECK(aclrtMemset(to, 64, 0, 64));
        CHECK(aclmdlRIExecuteAsync(instance, one));
        CHECK(aclrtSynchronizeStream(one));
        EXPECT(first(to) == 5 && first(from) == 6);
    }
    char name[16] = "";
    CHECK(aclmdlRISetName(instance, "pair"));
    CHECK(aclmdlRIGetName(instance, sizeof name, name));
    EXPECT(strcmp(name, "pair") == 0);
    CHECK(aclmdlRIDestroy(instance));
    CHECK(aclrtDestroyEvent(fork));
    CHECK(aclrtDestroyEvent(join));
    CHECK(aclrtFree(from));
    CHECK(aclrtFree(to));
    CHECK(aclrtDestroyStream(one));
    CHECK(aclrtDestroyStream(two));
}

static void capture_refuses(void) {
    aclrtStream stream = new_stream(), other = new_stream();
    void *memory = device_memory(64);
    char pageable[64] = {0};
    aclmdlRI instance = NULL;
    aclrtEvent event = NULL;
    CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
    RETURNS(ACL_ERROR_INVALID_PARAM, aclmdlRICaptureBegin(NULL, mode));
    RETURNS(ACL_ERROR_RT_STREAM_NOT_CAPTURED, aclmdlRICaptureEnd(stream, &instance));
    CHECK(aclmdlRICaptureBegin(stream, mode));
    RETURNS(ACL_ERROR_RT_STREAM_CAPTURED, aclmdlRICaptureBegin(stream, mode));
    RETURNS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeStream(stream));
    RETURNS(ACL_ERROR_RT_STREAM_CAPTURED, aclrtSynchronizeDevice());
    RETURNS(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, aclrtMemset(memory, 64, 0, 64));
    RETURNS(ACL_ERROR_RT_PARAM_INVALID,
            aclrtMemcpyAsync(memory, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    RETURNS(ACL_ERROR_RT_CAPTURE_MODE_BLOCK_ASYNC,
            aclrtMemcpyAsync(memory, 64, pageable, 64, ACL_MEMCPY_HOST_TO_DEVICE, other));
    CHECK(aclrtMemsetAsync(memory, 64, 0, 64, NULL));
    CHECK(aclrtSynchronizeStream(NULL));
    CHECK(aclrtRecordEvent(event, stream));
    RETURNS(ACL_ERROR_RT_EVENT_CAPTURED, aclrtSynchronizeEvent(event));
    CHECK(aclrtStreamWaitEvent(other, event));
    RETURNS(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, aclmdlRICaptureEnd(other, &instance));
    RETURNS(ACL_ERROR_RT_STREAM_UNJOINED, aclmdlRICaptureEnd(stream, &instance));
    SAYS("joined back");
    EXPECT(instance == NULL && status_of(other) == ACL_MODEL_RI_CAPTURE_STATUS_NONE);
    CHECK(aclrtMemset(memory, 64, 0, 64));
    RETURNS(ACL_ERROR_INVALID_PARAM, aclmdlRIExecuteAsync(NULL, stream));
    CHECK(aclrtDestroyEvent(event));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtDestroyStream(other));
}

/* A persistent stream, bound to an instance. */
static void build(void) {
    aclrtStream stream = NULL, usual = new_stream();
    void *memory = device_memory(64);
    aclmdlRI instance = NULL;
    CHECK(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_PERSISTENT));
    CHECK(aclmdlRIBuildBegin(&instance, 0));
    RETURNS(ACL_ERROR_RT_PARAM_INVALID,
            aclmdlRIBindStream(instance, usual, ACL_MODEL_STREAM_FLAG_HEAD));
    RETURNS(ACL_ERROR_RT_STREAM_MODEL, aclmdlRIBuildEnd(instance, NULL));
    CHECK(aclmdlRIBindStream(instance, stream, ACL_MODEL_STREAM_FLAG_HEAD));
    fill(memory, 7, stream);
    RETURNS(ACL_ERROR_RT_MODEL_EXECUTE, aclmdlRIBuildEnd(instance, NULL));
    CHECK(aclmdlRIEndTask(instance, stream));
    CHECK(aclmdlRIBuildEnd(instance, NULL));
    for (int round = 0; round < 2; round++) {
        CHECK(aclrtMemset(memory, 64, 0, 64));
        CHECK(aclmdlRIExecute(instance, -1));
        EXPECT(first(memory) == 7);
    }
    CHECK(aclrtMemset(memory, 64, 0, 64));
    CHECK(aclmdlRIExecuteAsync(instance, usual));
    CHECK(aclrtSynchronizeStream(usual));
    EXPECT(first(memory) == 7);
    CHECK(aclmdlRIAbort(instance));
    RETURNS(ACL_ERROR_RT_STREAM_MODEL, aclrtDestroyStream(stream));
    CHECK(aclmdlRIUnbindStream(instance, stream));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclmdlRIDestroy(instance));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(usual));
}

/* Copies a value of a condition on a stream. */
static void move_value(uint64_t *to, const uint64_t *from, aclrtStream stream) {
    CHECK(aclrtMemcpyAsync(to, 8, from, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
}

/* A conditional task with its branches. */
static void add(aclmdlRICondHandle handle, aclmdlRICondTaskType type, uint32_t size, aclmdlRI *branches,
                aclrtStream stream) {
    aclmdlRICondTaskParams params = {
        .handle = handle, .type = type, .size = size, .modelRIArray = branches};
    CHECK(aclmdlRIAddCondTask(params, stream, 0));
}

/* An IF with two branches after a WHILE, which has one round for each value before a 0. */
static void conditions(void) {
    aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    aclrtStream stream = new_stream(), inner = new_stream();
    void *memory = device_memory(64);
    uint64_t *values = device_memory(64), *choice = NULL, *rounds = NULL;
    const uint64_t all[8] = {1, 1, 0, 0, 7};
    aclmdlRI root = NULL, body = NULL, both[2] = {NULL, NULL}, out = NULL;
    aclmdlRICondHandle counts = NULL, chooses = NULL;
    CHECK(aclmdlRICaptureBegin(stream, mode));
    CHECK(aclmdlRICaptureGetInfo(stream, NULL, &root));
    CHECK(aclmdlRICondHandleCreate(root, 1, ACL_MODEL_RI_COND_HANDLE_ASSIGN_DEFAULT, &counts));
    CHECK(aclmdlRICondHandleCreate(root, 0, 0, &chooses));
    CHECK(aclmdlRICondHandleGetCondPtr(counts, &rounds));
    CHECK(aclmdlRICondHandleGetCondPtr(chooses, &choice));
    add(counts, ACL_MODEL_RI_COND_TYPE_WHILE, 1, &body, stream);
    CHECK(aclmdlRICaptureToModelRIBegin(inner, body, mode));
    move_value(rounds, values, inner);
    for (int index = 0; index < 4; index++) {
        move_value(values + index, values + index + 1, inner);
    }
    CHECK(aclmdlRICaptureEnd(inner, &out));
    EXPECT(out == body);
    add(chooses, ACL_MODEL_RI_COND_TYPE_IF, 2, both, stream);
    for (int index = 0; index < 2; index++) {
        CHECK(aclmdlRICaptureToModelRIBegin(inner, both[index], mode));
        fill(memory, 1 + index, inner);
        CHECK(aclmdlRICaptureEnd(inner, &out));
    }
    CHECK(aclmdlRICaptureEnd(stream, &out));
    EXPECT(out == root);
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclmdlRIDestroy(body));
    for (int round = 0; round < 2; round++) {
        const uint64_t chosen = round == 0;
        CHECK(aclrtMemcpy(values, 64, all, 64, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclrtMemcpy(choice, 8, &chosen, 8, ACL_MEMCPY_HOST_TO_DEVICE));
        CHECK(aclmdlRIExecuteAsync(root, stream));
        CHECK(aclrtSynchronizeStream(stream));
        /* Three rounds moved the 7 from the fifth place to the second. */
        EXPECT(first(values) == 0 && first(values + 1) == 7);
        EXPECT(first(memory) == 1 + round);
    }
    CHECK(aclmdlRIDestroy(root));
    CHECK(aclrtFree(memory));
    CHECK(aclrtFree(values));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtDestroyStream(inner));
}

/* A bound stream also copies ordinary host memory at once; only a capture refuses it. */
static void build_with_ordinary_memory(void) {
    char bytes[64];
    memset(bytes, 5, sizeof bytes);
    aclrtStream bound = NULL, stream = new_stream();
    void *memory = device_memory(64), *copy = device_memory(64);
    aclmdlRI instance = NULL;
    CHECK(aclrtMemset(memory, 64, 0, 64));
    CHECK(aclrtCreateStreamWithConfig(&bound, 0, ACL_STREAM_PERSISTENT));
    CHECK(aclrtMemcpyAsync(memory, 64, bytes, 64, ACL_MEMCPY_HOST_TO_DEVICE, bound));
    EXPECT(first(memory) == 5);
    CHECK(aclmdlRIBuildBegin(&instance, 0));
    CHECK(aclmdlRIBindStream(instance, bound, 0));
    memset(bytes, 6, sizeof bytes);
    CHECK(aclrtMemcpyAsync(memory, 64, bytes, 64, ACL_MEMCPY_HOST_TO_DEVICE, bound));
    EXPECT(first(memory) == 6);
    CHECK(aclrtMemcpyAsync(copy, 64, memory, 64, ACL_MEMCPY_DEVICE_TO_DEVICE, bound));
    CHECK(aclmdlRIEndTask(instance, bound));
    CHECK(aclmdlRIBuildEnd(instance, NULL));
    /* The copies from host memory are not part of a run. */
    fill(memory, 7, stream);
    CHECK(aclmdlRIExecuteAsync(instance, stream));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(first(copy) == 7);
    memset(bytes, 0, sizeof bytes);
    CHECK(aclrtMemcpyAsync(bytes, 64, copy, 64, ACL_MEMCPY_DEVICE_TO_HOST, bound));
    EXPECT(bytes[63] == 7);
    CHECK(aclmdlRIDestroy(instance));
    CHECK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
    RETURNS(ACL_ERROR_RT_PARAM_INVALID,
            aclrtMemcpyAsync(memory, 64, bytes, 64, ACL_MEMCPY_HOST_TO_DEVICE, stream));
    CHECK(aclmdlRICaptureEnd(stream, &instance));
    CHECK(aclmdlRIDestroy(instance));
    CHECK(aclrtFree(memory));
    CHECK(aclrtFree(copy));
    CHECK(aclrtDestroyStream(bound));
    CHECK(aclrtDestroyStream(stream));
}

int main(void) {
    begin();
    capture();
    capture_refuses();
    build();
    build_with_ordinary_memory();
    conditions();
    end();
    return 0;
}
