/* Random numbers: equal counters give equal numbers; the counter that a task writes gives others. */
#include "check.h"

enum { COUNT = 128, COUNTER = 16 };

static aclrtRandomParaInfo number(const void *value, uint8_t size) {
    aclrtRandomParaInfo info = {0};
    memcpy(info.valueOrAddr, value, size);
    info.size = size;
    return info;
}

/* The call writes to the structure, although it is const: each call gets a copy. */
static aclError draw(aclrtRandomNumTaskInfo info, aclrtStream stream, void *reserve) {
    return aclrtRandomNumAsync(&info, stream, reserve);
}

static aclrtRandomParaInfo whole(uint64_t value) {
    return number(&value, sizeof value);
}

static aclrtRandomParaInfo real(float value) {
    return number(&value, sizeof value);
}

static aclrtRandomParaInfo address(void *memory) {
    aclrtRandomParaInfo info = number(&memory, sizeof memory);
    info.isAddr = 1;
    return info;
}

/* A task for numbers from 2 to below 3. */
static aclrtRandomNumTaskInfo task(void *result, void *counter) {
    aclrtRandomNumTaskInfo info = {0};
    info.dataType = ACL_FLOAT;
    info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min = real(2);
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.max = real(3);
    info.randomResultAddr = result;
    info.randomCounterAddr = counter;
    info.randomSeed = whole(42);
    info.randomNum = whole(COUNT);
    return info;
}

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    float first[COUNT], second[COUNT];
    void *result = device_memory(sizeof first), *counter = device_memory(COUNTER);
    aclrtRandomNumTaskInfo info = task(result, counter);
    for (int round = 0; round < 2; round++) {
        CHECK(aclrtMemset(counter, COUNTER, 0, COUNTER));
        CHECK(draw(info, stream, NULL));
        CHECK(aclrtSynchronizeStream(stream));
        CHECK(aclrtMemcpy(round == 0 ? first : second, sizeof first, result, sizeof first, ACL_MEMCPY_DEVICE_TO_HOST));
    }
    EXPECT(memcmp(first, second, sizeof first) == 0);
    for (int i = 0; i < COUNT; i++) {
        EXPECT(first[i] >= 2 && first[i] < 3);
    }
    CHECK(draw(info, stream, NULL));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(second, sizeof second, result, sizeof second, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(memcmp(first, second, sizeof first) != 0);

    /* A mean in device memory, and memory for the parameters. */
    float mean = 5;
    void *parameter = device_memory(sizeof mean), *place = device_memory(16);
    CHECK(aclrtMemcpy(parameter, sizeof mean, &mean, sizeof mean, ACL_MEMCPY_HOST_TO_DEVICE));
    info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;
    info.randomNumFuncParaInfo.paramInfo.normalDisInfo.mean = address(parameter);
    info.randomNumFuncParaInfo.paramInfo.normalDisInfo.stddev = real(1);
    info.randomParaAddr = place;
    CHECK(draw(info, stream, NULL));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(second, sizeof second, result, sizeof second, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < COUNT; i++) {
        EXPECT(second[i] >= 3 && second[i] <= 7);
    }

    /* A dropout with the ratio 0 keeps all bits. */
    uint8_t bits[COUNT / 8];
    info.randomNumFuncParaInfo.funcType = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
    info.randomNumFuncParaInfo.paramInfo.dropoutBitmaskInfo.dropoutRation = real(0);
    CHECK(draw(info, stream, NULL));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(bits, sizeof bits, result, sizeof bits, ACL_MEMCPY_DEVICE_TO_HOST));
    for (size_t i = 0; i < sizeof bits; i++) {
        EXPECT(bits[i] == 0xff);
    }

    RETURNS(ACL_ERROR_INVALID_PARAM, aclrtRandomNumAsync(NULL, stream, NULL));
    RETURNS(ACL_ERROR_RT_PARAM_INVALID, draw(info, stream, result));
    info = task(result, counter);
    info.dataType = ACL_DOUBLE;
    RETURNS(ACL_ERROR_INVALID_PARAM, draw(info, stream, NULL));
    info = task(result, NULL);
    RETURNS(ACL_ERROR_RT_PARAM_INVALID, draw(info, stream, NULL));
    info = task(result, counter);
    info.randomNumFuncParaInfo.paramInfo.uniformDisInfo.min.size = 8;
    RETURNS(ACL_ERROR_RT_PARAM_INVALID, draw(info, stream, NULL));
    info = task(result, counter);
    info.randomNum = whole(0);
    RETURNS(ACL_ERROR_RT_PARAM_INVALID, draw(info, stream, NULL));
    info.randomNum = address(parameter);
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, draw(info, stream, NULL));
    SAYS("randomNum");

    CHECK(aclrtFree(place));
    CHECK(aclrtFree(parameter));
    CHECK(aclrtFree(counter));
    CHECK(aclrtFree(result));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
