/* Calls that few public programs make, in the order of those programs: limits on time, events that are left, a copy
 * with a description, a batch, notifies that are reset together, and functions for the start and the end. */
#include "check.h"

enum { COUNT = 64, BYTES = COUNT * 4 };

static int starts, ends;

static aclError on_start(const char *config, size_t length, void *data) {
    EXPECT(length == 0 || config != NULL);
    ++*(int *)data;
    return 0;
}

static aclError on_end(void *data) {
    ++*(int *)data;
    return 0;
}

static void limits(void) {
    uint64_t step = 0, actual = 0;
    uint32_t milliseconds = 0, left = 0;
    CHECK(aclrtGetOpTimeOutInterval(&step));
    CHECK(aclrtSetOpExecuteTimeOut(1));
    CHECK(aclrtGetOpExecuteTimeout(&milliseconds));
    EXPECT(milliseconds >= 1000);
    CHECK(aclrtSetOpExecuteTimeOutV2(step + 1, &actual));
    EXPECT(step > 0 && actual == 2 * step);
    CHECK(aclrtSetOpWaitTimeout(5));
    CHECK(aclrtGetEventAvailNum(&left));
    EXPECT(left > 0);
    CHECK(aclrtSynchronizeDeviceWithTimeout(5000));
}

static void copies(aclrtStream stream) {
    const aclrtMemcpyKind inner = ACL_MEMCPY_INNER_DEVICE_TO_DEVICE;
    void *from = device_memory(BYTES), *to = device_memory(BYTES);
    void *bases[] = {device_memory(8), device_memory(8)};
    void *up = host_memory(BYTES), *down = host_memory(BYTES);
    size_t size = 0, first = 0, failed = 0;
    for (int i = 0; i < COUNT; i++) {
        ((int *)up)[i] = i;
    }
    aclrtMemcpyBatchAttr direction = {.dstLoc = {0, ACL_MEM_LOCATION_TYPE_DEVICE},
                                      .srcLoc = {0, ACL_MEM_LOCATION_TYPE_HOST}};
    size_t bytes = BYTES;
    CHECK(aclrtMemcpyBatch(&from, &bytes, &up, &bytes, 1, &direction, &first, 1, &failed));
    EXPECT(failed == (size_t)-1);

    CHECK(aclrtGetMemcpyDescSize(inner, &size));
    void *description = device_memory(size);
    CHECK(aclrtSetMemcpyDesc(description, inner, from, to, BYTES, NULL));
    CHECK(aclrtMemcpyAsyncWithDesc(description, inner, stream));
    CHECK(aclrtMemcpyAsync(down, BYTES, to, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(memcmp(up, down, BYTES) == 0);

    /* The second half over the first one, by addresses in device memory. */
    CHECK(aclrtMemcpy(bases[0], 8, &to, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(bases[1], 8, &from, 8, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpyAsyncWithOffset((void **)bases[0], BYTES, 0, (const void **)bases[1], BYTES / 2,
                                     BYTES / 2, inner, stream));
    CHECK(aclrtMemcpyAsync(down, BYTES, to, BYTES, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(((int *)down)[0] == COUNT / 2 && ((int *)down)[COUNT - 1] == COUNT - 1);

    uint32_t is_device = 0;
    void *both[] = {from, to}, *base = NULL;
    CHECK(aclrtCheckMemType(both, 2, ACL_RT_MEM_TYPE_DEV, &is_device, 0));
    CHECK(aclrtMemGetAddressRange((char *)to + 5, &base, &size));
    EXPECT(is_device == 1 && base == to && size >= BYTES);
    CHECK(aclrtMemFlush(to, BYTES));
    CHECK(aclrtMemInvalidate(to, BYTES));
    void *all[] = {from, to, bases[0], bases[1], description};
    for (int i = 0; i < 5; i++) {
        CHECK(aclrtFree(all[i]));
    }
    CHECK(aclrtFreeHost(up));
    CHECK(aclrtFreeHost(down));
}

static void notifies(aclrtStream first, aclrtStream second) {
    aclrtNotify pair[2];
    for (int i = 0; i < 2; i++) {
        CHECK(aclrtCreateNotify(&pair[i], ACL_NOTIFY_DEFAULT));
    }
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 2; i++) {
            CHECK(aclrtRecordNotify(pair[i], first));
            CHECK(aclrtWaitAndResetNotify(pair[i], second, 0));
        }
        CHECK(aclrtSynchronizeStream(first));
        CHECK(aclrtSynchronizeStream(second));
        CHECK(aclrtNotifyBatchReset(pair, 2));
    }
    for (int i = 0; i < 2; i++) {
        CHECK(aclrtDestroyNotify(pair[i]));
    }
}

int main(void) {
    CHECK(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, on_start, &starts));
    begin();
    EXPECT(starts == 1);
    CHECK(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, on_end, &ends));
    aclrtStream first = new_stream(), second = new_stream();
    limits();
    copies(first);
    notifies(first, second);
    aclrtStreamAttrValue value = {.cacheOpInfoSwitch = 1};
    CHECK(aclrtSetStreamAttribute(first, ACL_STREAM_ATTR_CACHE_OP_INFO, &value));
    aclrtUuid one, other;
    CHECK(aclrtDeviceGetUuid(0, &one));
    CHECK(aclrtDeviceGetUuid(1, &other));
    EXPECT(memcmp(&one, &other, sizeof one) != 0);
    CHECK(aclrtDestroyStream(first));
    CHECK(aclrtDestroyStream(second));
    end();
    EXPECT(ends == 1);
    CHECK(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, on_end));
    CHECK(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, on_start));
    return 0;
}
