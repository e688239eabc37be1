/* Two processes that share events: each one waits for the work that the other one has recorded. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { TURNS = 3 };

static aclrtEvent new_event(int to) {
    aclrtEvent event = NULL;
    aclrtIpcEventHandle handle;
    CHECK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
    CHECK(aclrtIpcGetEventHandle(event, &handle));
    EXPECT(write(to, &handle, sizeof handle) == (ssize_t)sizeof handle);
    return event;
}

static aclrtEvent opened(int from) {
    aclrtEvent event = NULL;
    aclrtIpcEventHandle handle;
    EXPECT(read(from, &handle, sizeof handle) == (ssize_t)sizeof handle);
    CHECK(aclrtIpcOpenEventHandle(handle, &event));
    return event;
}

/* Holds a stream until the other process has seen that its own one waits. */
static void hold(void *from) {
    char word = 0;
    EXPECT(read(*(int *)from, &word, 1) == 1);
}

static void guest(int from, int to) {
    begin();
    aclrtStream stream = new_stream();
    aclrtEvent theirs = opened(from), ours = new_event(to);
    aclrtStreamStatus status = ACL_STREAM_STATUS_COMPLETE;
    aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
    char word = 0;
    for (int i = 0; i < TURNS; i++) {
        EXPECT(read(from, &word, 1) == 1); /* they have recorded */
        CHECK(aclrtStreamWaitEvent(stream, theirs));
        CHECK(aclrtRecordEvent(ours, stream));
        CHECK(aclrtStreamQuery(stream, &status));
        EXPECT(status == ACL_STREAM_STATUS_NOT_READY);
        CHECK(aclrtQueryEventStatus(theirs, &recorded));
        EXPECT(recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY);
        RETURNS(507047, aclrtSynchronizeEventWithTimeout(theirs, 1));
        EXPECT(write(to, &word, 1) == 1); /* their work may go on */
        CHECK(aclrtSynchronizeEvent(theirs));
        CHECK(aclrtSynchronizeStream(stream));
    }
    CHECK(aclrtDestroyEvent(theirs));
    CHECK(aclrtDestroyEvent(ours));
    CHECK(aclrtDestroyStream(stream));
    end();
}

static void owner(int from, int to, pid_t other) {
    begin();
    aclrtStream stream = new_stream(), waits = new_stream();
    aclrtEvent ours = new_event(to), theirs = opened(from);
    char word = 0;
    for (int i = 0; i < TURNS; i++) {
        CHECK(aclrtLaunchHostFunc(stream, hold, &from));
        CHECK(aclrtRecordEvent(ours, stream));
        EXPECT(write(to, &word, 1) == 1);
        CHECK(aclrtSynchronizeEvent(ours));
        CHECK(aclrtStreamWaitEvent(waits, theirs));
        CHECK(aclrtSynchronizeStream(waits));
    }
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(status == 0);
    CHECK(aclrtDestroyEvent(theirs));
    CHECK(aclrtDestroyEvent(ours));
    CHECK(aclrtDestroyStream(waits));
    CHECK(aclrtDestroyStream(stream));
    end();
}

int main(void) {
    int there[2], back[2];
    EXPECT(pipe(there) == 0 && pipe(back) == 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        guest(there[0], back[1]);
    } else {
        owner(back[0], there[1], other);
    }
    return 0;
}
