/* Memory of the media engine, both generations. */
#include "check.h"

int main(void) {
    begin();
    void *first = NULL, *second = NULL;
    CHECK(acldvppMalloc(&first, 1000));
    CHECK(hi_mpi_dvpp_malloc(0, &second, 1000));
    EXPECT((uintptr_t)first % 128 == 0);
    CHECK(aclrtMemset(first, 1000, 1, 1000));
    CHECK(aclrtMemcpy(second, 1000, first, 1000, ACL_MEMCPY_DEVICE_TO_DEVICE));
    CHECK(acldvppFree(first));
    CHECK(hi_mpi_dvpp_free(second));
    end();
    return 0;
}
