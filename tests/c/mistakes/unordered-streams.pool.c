/* A stream uses memory of a pool that another one has allocated, and no event orders them. */
#include "../check.h"
#include "acl/acl_rt_memory_soma.h"

int main(void) {
    begin();
    enum { SIZE = 4096 };
    aclrtStream one = new_stream(), two = new_stream();
    aclrtMemPoolProps props = {ACL_MEM_ALLOCATION_TYPE_PINNED, ACL_MEM_HANDLE_TYPE_NONE,
                               {0, ACL_MEM_LOCATION_TYPE_DEVICE}, 0, {0}};
    aclrtMemPool pool = NULL;
    CHECK(aclrtMemPoolCreate(&pool, &props));
    void *device = NULL;
    CHECK(aclrtMemPoolMallocAsync(&device, SIZE, pool, one));
    aclrtMemsetAsync(device, SIZE, 1, SIZE, two); /* here */
    CHECK(aclrtSynchronizeDevice());
    CHECK(aclrtMemPoolFreeAsync(device, one));
    CHECK(aclrtSynchronizeStream(one));
    CHECK(aclrtMemPoolDestroy(pool));
    CHECK(aclrtDestroyStream(one));
    CHECK(aclrtDestroyStream(two));
    end();
    return 0;
}
