/* A pool is destroyed while the work in front of the free of its memory is queued. */
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
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream));
    CHECK(aclrtMemPoolFreeAsync(device, stream));
    CHECK(aclrtMemPoolDestroy(pool)); /* here */
    aclrtSynchronizeStream(stream);
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
