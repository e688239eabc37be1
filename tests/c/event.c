/* Events: the order of streams, and times. */
#include "check.h"

int main(void) {
    begin();
    enum { SIZE = 1 << 16 };
    aclrtStream producer = new_stream(), consumer = new_stream();
    unsigned char *host = host_memory(SIZE);
    void *device = device_memory(SIZE);
    aclrtEvent start = NULL, filled = NULL, flag = NULL;
    CHECK(aclrtCreateEventExWithFlag(&start, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    CHECK(aclrtCreateEventExWithFlag(&filled, ACL_EVENT_SYNC | ACL_EVENT_TIME_LINE));
    CHECK(aclrtCreateEventWithFlag(&flag, ACL_EVENT_SYNC));

    /* A wait for a flag may come before the record. */
    CHECK(aclrtStreamWaitEvent(consumer, flag));
    CHECK(aclrtMemcpyAsync(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, consumer));
    CHECK(aclrtRecordEvent(start, producer));
    CHECK(aclrtMemsetAsync(device, SIZE, 7, SIZE, producer));
    CHECK(aclrtRecordEvent(filled, producer));
    CHECK(aclrtRecordEvent(flag, producer));
    CHECK(aclrtSynchronizeStream(consumer));
    EXPECT(host[0] == 7 && host[SIZE - 1] == 7);

    CHECK(aclrtSynchronizeEvent(filled));
    aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
    CHECK(aclrtQueryEventStatus(filled, &status));
    EXPECT(status == ACL_EVENT_RECORDED_STATUS_COMPLETE);
    float elapsed = -1;
    CHECK(aclrtEventElapsedTime(&elapsed, start, filled));
    EXPECT(elapsed >= 0);

    CHECK(aclrtDestroyEvent(flag));
    CHECK(aclrtDestroyEvent(filled));
    CHECK(aclrtDestroyEvent(start));
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(consumer));
    CHECK(aclrtDestroyStream(producer));
    end();
    return 0;
}
