/* The device is reset while work on it is still queued. */
#include "../check.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream stream = new_stream();
    void *device = device_memory(SIZE);
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream));
    aclrtResetDevice(0); /* here */
    CHECK(aclFinalize());
    return 0;
}
