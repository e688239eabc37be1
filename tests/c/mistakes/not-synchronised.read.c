/* The program reads a result in host memory before its stream was synchronised. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream stream = new_stream();
    char *result = host_memory(SIZE);
    void *device = device_memory(SIZE);
    CHECK(aclrtMemset(device, SIZE, 1, SIZE));
    CHECK(aclrtMemcpyAsync(result, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST, stream));
    volatile char early = result[100]; /* here */
    (void)early;
    CHECK(aclrtSynchronizeStream(stream));
    EXPECT(result[100] == 1);
    CHECK(aclrtFree(device));
    CHECK(aclrtFreeHost(result));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
