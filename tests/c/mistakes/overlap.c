/* A ring buffer moves its content to the front, and the copy overwrites what it still has to read. */
#include "../check.h"

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    char *memory = device_memory(4096);
    CHECK(aclrtMemsetAsync(memory, 4096, 1, 4096, stream));
    CHECK(aclrtMemcpyAsync(memory, 4096, memory + 1024, 3072, ACL_MEMCPY_DEVICE_TO_DEVICE, stream)); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
