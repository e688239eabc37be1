/* A child of fork uses the devices of its parent, which it does not have. On a card it hangs. */
#include "../check.h"

#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    begin();
    pid_t child = fork(); /* here */
    EXPECT(child >= 0);
    if (child == 0) {
        void *memory = NULL;
        RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
        exit(0);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    end();
    return WEXITSTATUS(status); /* that of the child, which has the finding */
}
