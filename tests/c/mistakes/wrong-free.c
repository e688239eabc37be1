/* Memory of the media engine is freed by aclrtFree. */
#include "../check.h"

int main(void) {
    begin();
    void *media = NULL;
    CHECK(acldvppMalloc(&media, 4096));
    aclrtFree(media); /* here */
    CHECK(acldvppFree(media));
    end();
    return 0;
}
