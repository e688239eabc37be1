/* The result is copied before its stream was synchronised. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    static char result[SIZE];
    aclrtStream stream = new_stream();
    void *device = device_memory(SIZE);
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream));
    aclrtMemcpy(result, SIZE, device, SIZE, ACL_MEMCPY_DEVICE_TO_HOST); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(device));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
