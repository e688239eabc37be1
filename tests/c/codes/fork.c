/* A child of fork whose parent has used AscendCL gets an error from every call, and ends. With ASCENDCL_EMULATOR_SCHEDULE=lazy */
#include "../check.h"

#include <sys/wait.h>
#include <unistd.h>

static aclrtStream stream;
static void *memory;

/* Calls that would wait for a thread of the parent, or for a lock that one may hold. */
static void refused(void) {
    void *other = NULL;
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtSynchronizeStream(stream));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMalloc(&other, 64, ACL_MEM_MALLOC_HUGE_FIRST));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtMemset(memory, 64, 0, 64));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtDestroyStream(stream));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclrtResetDevice(0));
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclFinalize());
    RETURNS(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclInit(NULL));
    EXPECT(aclrtGetSocName() == NULL);
    const char *text = aclGetRecentErrMsg();
    EXPECT(text != NULL && strstr(text, "child of fork") != NULL);
}

/* Runs a function in a child, and returns how the child ends. */
static int in_child(void (*function)(void)) {
    pid_t child = fork();
    EXPECT(child >= 0);
    if (child == 0) {
        function();
        exit(0);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void again(void) {
    refused();
    EXPECT(in_child(refused) == 0);
}

static void nothing(void) {}

/* A process that has not used AscendCL before the fork. */
static void first(void) {
    begin();
    aclrtStream own = new_stream();
    CHECK(aclrtSynchronizeStream(own));
    CHECK(aclrtDestroyStream(own));
    end();
}

int main(void) {
    EXPECT(in_child(first) == 0);
    begin();
    stream = new_stream();
    memory = device_memory(64);
    CHECK(aclrtMemsetAsync(memory, 64, 1, 64, stream));
    EXPECT(in_child(nothing) == 0);
    EXPECT(in_child(refused) == 0);
    EXPECT(in_child(again) == 0);
    /* The parent is as before. */
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtFree(memory));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
