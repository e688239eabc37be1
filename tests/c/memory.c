/* Memory: sizes, free memory, attributes of an address. */
#include "check.h"

int main(void) {
    begin();
    void *device = NULL, *host = NULL;
    RETURNS(ACL_ERROR_INVALID_PARAM, aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST));
    RETURNS(ACL_ERROR_RT_MEMORY_ALLOCATION,
            aclrtMalloc(&device, (size_t)1 << 40, ACL_MEM_MALLOC_HUGE_FIRST));

    size_t before = 0, after = 0, total = 0;
    CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &before, &total));
    device = device_memory(1 << 20);
    CHECK(aclrtGetMemInfo(ACL_HBM_MEM, &after, &total));
    EXPECT(before - after >= 1 << 20 && after < total);

    host = host_memory(100);
    aclrtPtrAttributes attributes;
    CHECK(aclrtPointerGetAttributes(device, &attributes));
    EXPECT(attributes.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && attributes.location.id == 0);
    CHECK(aclrtPointerGetAttributes(host, &attributes));
    EXPECT(attributes.location.type == ACL_MEM_LOCATION_TYPE_HOST);

    CHECK(aclrtFreeWithDevSync(device));
    CHECK(aclrtFreeHost(host));
    end();
    return 0;
}
