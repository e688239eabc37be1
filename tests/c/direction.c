/* Correct kinds of copies: the right kind for each pair of memories, one kind for all, and registered memory. */
#include "check.h"

enum { SIZE = 4096 };

static void copy(void *to, const void *from, aclrtMemcpyKind kind, aclrtStream stream) {
    CHECK(aclrtMemcpy(to, SIZE, from, SIZE, kind));
    CHECK(aclrtMemcpy(to, SIZE, from, SIZE, ACL_MEMCPY_DEFAULT));
    if (stream != NULL) {
        CHECK(aclrtMemcpyAsync(to, SIZE, from, SIZE, kind, stream));
        CHECK(aclrtMemcpyAsync(to, SIZE, from, SIZE, ACL_MEMCPY_DEFAULT, stream));
        CHECK(aclrtSynchronizeStream(stream));
    }
}

int main(void) {
    begin();
    static char ordinary[SIZE], registered[SIZE] __attribute__((aligned(4096)));
    aclrtStream stream = new_stream();
    void *locked = host_memory(SIZE), *device = device_memory(SIZE), *other = device_memory(SIZE), *seen = NULL;
    CHECK(aclrtMemset(device, SIZE, 1, SIZE));
    CHECK(aclrtMemset(other, SIZE, 2, SIZE));
    copy(locked, ordinary, ACL_MEMCPY_HOST_TO_HOST, NULL);
    copy(device, locked, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    copy(device, ordinary, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    copy(device, locked, ACL_MEMCPY_HOST_TO_BUF_TO_DEVICE, stream);
    copy(locked, device, ACL_MEMCPY_DEVICE_TO_HOST, stream);
    copy(ordinary, device, ACL_MEMCPY_DEVICE_TO_HOST, stream);
    copy(other, device, ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
    /* Copies take registered memory by its address on the host. */
    CHECK(aclrtHostRegister(registered, SIZE, ACL_HOST_REGISTER_MAPPED, &seen));
    copy(device, registered, ACL_MEMCPY_HOST_TO_DEVICE, stream);
    copy(registered, device, ACL_MEMCPY_DEVICE_TO_HOST, stream);
    CHECK(aclrtHostUnregister(registered));
    CHECK(aclrtFree(device));
    CHECK(aclrtFree(other));
    CHECK(aclrtFreeHost(locked));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
