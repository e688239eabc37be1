/* Copies and fills: in both directions, in rows, with and without a stream. */
#include "check.h"

int main(void) {
    begin();
    enum { ROWS = 4, WIDTH = 8, PITCH = 16 };
    unsigned char there[ROWS * PITCH], back[ROWS * PITCH];
    for (int i = 0; i < ROWS * PITCH; i++) {
        there[i] = (unsigned char)i;
    }
    void *device = device_memory(sizeof there), *other = device_memory(sizeof there);
    CHECK(aclrtMemcpy(device, sizeof there, there, sizeof there, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(other, sizeof there, device, sizeof there, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CHECK(aclrtMemcpy(back, sizeof back, other, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(memcmp(there, back, sizeof back) == 0);

    CHECK(aclrtMemset(device, sizeof there, 9, sizeof there));
    CHECK(aclrtMemcpy2d(device, PITCH, there, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE));
    CHECK(aclrtMemcpy(back, sizeof back, device, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(back[PITCH] == there[PITCH] && back[PITCH + WIDTH] == 9);

    /* Two streams fill alternate rows, which do not overlap: they need no event. */
    aclrtStream left = new_stream(), right = new_stream();
    unsigned char *host = host_memory(sizeof there);
    CHECK(aclrtMemcpy2dAsync(device, PITCH, host, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, left));
    CHECK(aclrtMemcpy2dAsync((char *)device + WIDTH, PITCH, host, PITCH, WIDTH, ROWS,
                             ACL_MEMCPY_HOST_TO_DEVICE, right));
    CHECK(aclrtSynchronizeDevice());
    /* A copy from ordinary memory with a stream waits by itself. */
    CHECK(aclrtMemcpyAsync(device, sizeof there, there, sizeof there, ACL_MEMCPY_HOST_TO_DEVICE, left));
    CHECK(aclrtMemcpy(back, sizeof back, device, sizeof back, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(memcmp(there, back, sizeof back) == 0);

    CHECK(aclrtDestroyStream(left));
    CHECK(aclrtDestroyStream(right));
    CHECK(aclrtFreeHost(host));
    CHECK(aclrtFree(other));
    CHECK(aclrtFree(device));
    end();
    return 0;
}
