/* A result is read in host memory that was freed. */
#include "../check.h"

int main(void) {
    begin();
    char *result = host_memory(64);
    result[0] = 1;
    CHECK(aclrtFreeHost(result));
    volatile char late = result[0]; /* here */
    (void)late;
    end();
    return 0;
}
