/* Streams: order, queries, timeouts. */
#include "check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream stream = new_stream(), urgent = NULL;
    CHECK(aclrtCreateStreamWithConfig(&urgent, 0, ACL_STREAM_FAST_LAUNCH));
    uint32_t priority = 9;
    CHECK(aclrtStreamGetPriority(urgent, &priority));
    EXPECT(priority == 0);

    unsigned char *host = host_memory(SIZE);
    void *device = device_memory(SIZE);
    for (int value = 1; value <= 3; value++) {
        CHECK(aclrtMemsetAsync(device, SIZE, value, SIZE, stream));
    }
    CHECK(aclrtMemcpyAsync(host, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    CHECK(aclrtSynchronizeStreamWithTimeout(stream, 10000));
    EXPECT(host[0] == 3 && host[SIZE - 1] == 3);

    aclrtStreamStatus status = ACL_STREAM_STATUS_RESERVED;
    CHECK(aclrtStreamQuery(stream, &status));
    EXPECT(status == ACL_STREAM_STATUS_COMPLETE);
    RETURNS(ACL_ERROR_RT_PARAM_INVALID, aclrtSynchronizeStreamWithTimeout(stream, 0));

    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtDestroyStream(stream));
    CHECK(aclrtDestroyStream(urgent));
    end();
    return 0;
}
