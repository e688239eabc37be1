/* Memory is freed twice. */
#include "../check.h"

int main(void) {
    begin();
    void *device = device_memory(4096);
    CHECK(aclrtFree(device));
    aclrtFree(device); /* here */
    end();
    return 0;
}
