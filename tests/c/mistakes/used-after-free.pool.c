/* Work is queued behind the free of its memory, which a pool takes back in the order of the stream. */
#include "../check.h"
#include "acl/acl_rt_memory_soma.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream stream = new_stream();
    aclrtMemPoolProps props = {ACL_MEM_ALLOCATION_TYPE_PINNED, ACL_MEM_HANDLE_TYPE_NONE,
                               {0, ACL_MEM_LOCATION_TYPE_DEVICE}, 0, {0}};
    aclrtMemPool pool = NULL;
    CHECK(aclrtMemPoolCreate(&pool, &props));
    void *device = NULL;
    CHECK(aclrtMemPoolMallocAsync(&device, SIZE, pool, stream));
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream)); /* before its free: allowed */
    CHECK(aclrtMemPoolFreeAsync(device, stream));
    aclrtMemsetAsync(device, SIZE, 0, SIZE, stream); /* here */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemPoolDestroy(pool));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
