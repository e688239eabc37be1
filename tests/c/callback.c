/* Functions of the program that run in the order of a stream. */
#include <pthread.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t called = PTHREAD_COND_INITIALIZER;
static int calls = 0;

static void count(void *steps) {
    pthread_mutex_lock(&mutex);
    calls += *(int *)steps;
    pthread_cond_signal(&called);
    pthread_mutex_unlock(&mutex);
}

int main(void) {
    begin();
    enum { SIZE = 256 };
    int one = 1;
    aclrtStream stream = new_stream();
    void *device = device_memory(SIZE);
    CHECK(aclrtMemsetAsync(device, SIZE, 1, SIZE, stream));
    CHECK(aclrtLaunchHostFunc(stream, count, &one));
    pthread_mutex_lock(&mutex);
    while (calls == 0) {
        pthread_cond_wait(&called, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    /* The function reports that the fill is complete, which is as good as a synchronise. */
    CHECK(aclrtFree(device));

    aclrtStream reported = new_stream();
    RETURNS(ACL_ERROR_RT_STREAM_NO_CB_REG, aclrtLaunchCallback(count, &one, ACL_CALLBACK_BLOCK, reported));
    CHECK(aclrtSubscribeReport((uint64_t)pthread_self(), reported));
    CHECK(aclrtLaunchCallback(count, &one, ACL_CALLBACK_BLOCK, reported));
    CHECK(aclrtProcessReport(10000));
    EXPECT(calls == 2);
    CHECK(aclrtSynchronizeStream(reported));
    CHECK(aclrtUnSubscribeReport((uint64_t)pthread_self(), reported));
    CHECK(aclrtDestroyStream(reported));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
