/* The code of each misuse, as observed in the production runtime. */
#include "../check.h"

enum { SIZE = 64 };

static void process(void) {
    RETURNS(100003, aclInit("/nonexistent.json"));
    CHECK(aclrtSetDevice(0)); /* nothing needs aclInit */
    CHECK(aclInit(NULL));
    RETURNS(100002, aclInit(NULL));
    RETURNS(107001, aclrtSetDevice(-1));
    RETURNS(107001, aclrtResetDevice(999));
    RETURNS(507007, aclrtResetDevice(1));
    RETURNS(100000, aclrtGetDevice(NULL));
    size_t free_bytes = 0, total = 0;
    RETURNS(107016, aclrtGetMemInfo((aclrtMemAttr)99, &free_bytes, &total));
    int32_t can = 0;
    RETURNS(100000, aclrtDeviceCanAccessPeer(&can, 0, 0));
    RETURNS(107001, aclrtDeviceCanAccessPeer(&can, 0, 9));
    RETURNS(100000, aclrtDeviceEnablePeerAccess(0, 0));
    RETURNS(200006, aclrtDeviceEnablePeerAccess(1, 1));
}

static void memory(void) {
    void *device = device_memory(SIZE), *host = host_memory(SIZE), *other = NULL;
    char stack[SIZE] __attribute__((aligned(4096)));
    memset(stack, 1, sizeof stack);
    RETURNS(100000, aclrtMalloc(&other, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    RETURNS(207001, aclrtMalloc(&other, (size_t)1 << 40, ACL_MEM_MALLOC_HUGE_FIRST));
    RETURNS(100000, aclrtMallocHost(&other, 0));
    RETURNS(100000, aclrtFree(NULL));
    RETURNS(107000, aclrtFree((char *)device + 1));
    RETURNS(107000, aclrtFree(stack));
    RETURNS(107000, aclrtFreeHost(device));
    RETURNS(107000, aclrtMemcpy(device, SIZE, stack, SIZE + 1, ACL_MEMCPY_HOST_TO_DEVICE));
    RETURNS(100000, aclrtMemcpy(NULL, SIZE, stack, SIZE, ACL_MEMCPY_HOST_TO_DEVICE));
    RETURNS(100000, aclrtMemcpy(device, SIZE, stack, SIZE, (aclrtMemcpyKind)99));
    RETURNS(107000, aclrtMemcpy(device, SIZE, (void *)4096, SIZE, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(device, SIZE, stack, SIZE, ACL_MEMCPY_DEVICE_TO_HOST)); /* the kind is not checked */
    RETURNS(107000, aclrtMemset(device, SIZE, 0, SIZE + 1));
    RETURNS(207000, aclrtMemcpyAsync(host, SIZE, host, SIZE, ACL_MEMCPY_HOST_TO_HOST, NULL));
    void *seen = NULL;
    CHECK(aclrtHostRegister(stack, sizeof stack, ACL_HOST_REGISTER_MAPPED, &seen));
    RETURNS(507910, aclrtHostRegister(stack, sizeof stack, ACL_HOST_REGISTER_MAPPED, &seen));
    CHECK(aclrtHostUnregister(stack));
    RETURNS(507911, aclrtHostUnregister(stack));
    CHECK(aclrtFree(device));
    RETURNS(107000, aclrtFree(device));
    CHECK(aclrtFree(host)); /* the driver's free is the same function */
}

static void events(void) {
    aclrtStream stream = new_stream(), gate = new_stream();
    aclrtEvent plain = NULL, order = NULL, time = NULL, bad = NULL;
    float ms = 0;
    RETURNS(107000, aclrtCreateEventWithFlag(&bad, 0));
    CHECK(aclrtCreateEvent(&plain));
    CHECK(aclrtCreateEventWithFlag(&order, ACL_EVENT_SYNC));
    CHECK(aclrtCreateEventWithFlag(&time, ACL_EVENT_TIME_LINE));
    RETURNS(107000, aclrtStreamWaitEvent(stream, plain));
    RETURNS(207000, aclrtStreamWaitEvent(stream, time));
    RETURNS(507000, aclrtEventElapsedTime(&ms, plain, plain));
    RETURNS(100000, aclrtEventElapsedTime(NULL, plain, plain));
    CHECK(aclrtStreamWaitEvent(stream, order)); /* blocks until the event is recorded */
    CHECK(aclrtRecordEvent(plain, stream));
    RETURNS(107006, aclrtEventElapsedTime(&ms, plain, plain));
    RETURNS(507047, aclrtSynchronizeEventWithTimeout(plain, 5));
    RETURNS(507046, aclrtSynchronizeStreamWithTimeout(stream, 5));
    RETURNS(507046, aclrtSynchronizeDeviceWithTimeout(5));
    RETURNS(107000, aclrtSynchronizeStreamWithTimeout(stream, 0));
    CHECK(aclrtRecordEvent(order, gate));
    CHECK(aclrtSynchronizeStreamWithTimeout(stream, -1));
    CHECK(aclrtDestroyEvent(plain));
    RETURNS(107017, aclrtDestroyEvent(plain));
    RETURNS(107017, aclrtRecordEvent(plain, stream));
    RETURNS(100000, aclrtDestroyEvent(NULL));
    CHECK(aclrtDestroyEvent(order));
    CHECK(aclrtDestroyEvent(time));
    CHECK(aclrtDestroyStream(gate));
    CHECK(aclrtDestroyStream(stream));
    RETURNS(107017, aclrtSynchronizeStream(stream));
    RETURNS(100000, aclrtDestroyStream(NULL));
}

static void streams(void) {
    static aclrtStream all[4096];
    int count = 0;
    aclError code = 0;
    while (code == 0) {
        code = aclrtCreateStream(&all[count]);
        count += code == 0;
    }
    EXPECT(code == 207008 && count > 1000);
    while (count > 0) {
        CHECK(aclrtDestroyStream(all[--count]));
    }
    aclrtStream stream = new_stream();
    uint64_t thread = 1;
    CHECK(aclrtSubscribeReport(thread, stream));
    RETURNS(107011, aclrtSubscribeReport(thread, stream));
    CHECK(aclrtUnSubscribeReport(thread, stream));
    RETURNS(107011, aclrtUnSubscribeReport(thread, stream));
    void *device = device_memory(SIZE);
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream));
    CHECK(aclrtSynchronizeStream(stream));
    aclrtEvent gate = NULL;
    aclrtStream opener = new_stream();
    CHECK(aclrtCreateEventWithFlag(&gate, ACL_EVENT_SYNC));
    CHECK(aclrtStreamWaitEvent(stream, gate));
    CHECK(aclrtMemsetAsync(device, SIZE, 2, SIZE, stream));
    CHECK(aclrtFree(device)); /* does not wait */
    CHECK(aclrtRecordEvent(gate, opener));
    RETURNS(507001, aclrtSynchronizeStream(stream));
    CHECK(aclrtSynchronizeStream(stream)); /* reported once */
    aclrtContext first = NULL, second = NULL;
    CHECK(aclrtGetCurrentContext(&first));
    CHECK(aclrtCreateContext(&second, 0));
    RETURNS(107003, aclrtDestroyStream(stream));
    CHECK(aclrtSetCurrentContext(first));
    RETURNS(100000, aclrtSetCurrentContext(NULL));
    CHECK(aclrtDestroyContext(second));
    RETURNS(107002, aclrtDestroyContext(second));
    RETURNS(107000, aclrtSetCurrentContext(second));
    CHECK(aclrtDestroyEvent(gate));
    CHECK(aclrtDestroyStream(opener));
    CHECK(aclrtDestroyStream(stream));
}

int main(void) {
    process();
    memory();
    events();
    streams();
    CHECK(aclrtResetDevice(0));
    RETURNS(507007, aclrtResetDevice(0));
    void *none = NULL;
    RETURNS(107002, aclrtMalloc(&none, SIZE, ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclFinalize());
    RETURNS(100037, aclFinalize());
    return 0;
}
