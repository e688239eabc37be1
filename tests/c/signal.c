/* Two processes that share a notify: one waits for the signals that the other one gives. */
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { KEY = 65, SIGNALS = 2 };

static void record(int from, int to) {
    char key[KEY], word = 0;
    EXPECT(read(from, key, sizeof key) == (ssize_t)sizeof key);
    begin();
    aclrtNotify notify = NULL;
    aclrtStream stream = new_stream();
    CHECK(aclrtNotifyImportByKey(&notify, key, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    RETURNS(207000, aclrtWaitAndResetNotify(notify, stream, 1)); /* its own process waits */
    for (int i = 0; i < SIGNALS; i++) {
        CHECK(aclrtRecordNotify(notify, stream));
        CHECK(aclrtSynchronizeStream(stream));
        EXPECT(write(to, &word, 1) == 1);
        EXPECT(read(from, &word, 1) == 1); /* the signal was consumed */
    }
    CHECK(aclrtDestroyNotify(notify));
    CHECK(aclrtDestroyStream(stream));
    end();
}

static void await(int from, int to, pid_t other) {
    begin();
    aclrtNotify notify = NULL, own = NULL;
    aclrtStream stream = new_stream();
    char key[KEY], word = 0;
    int32_t process = other;
    CHECK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    RETURNS(507899, aclrtNotifySetImportPid(notify, &process, 1)); /* it has no key */
    CHECK(aclrtNotifyGetExportKey(notify, key, KEY, ACL_RT_NOTIFY_EXPORT_FLAG_DEFAULT));
    CHECK(aclrtNotifySetImportPid(notify, &process, 1));
    RETURNS(507899, aclrtNotifyImportByKey(&own, key, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    EXPECT(write(to, key, sizeof key) == (ssize_t)sizeof key);
    for (int i = 0; i < SIGNALS; i++) {
        CHECK(aclrtWaitAndResetNotify(notify, stream, 60));
        CHECK(aclrtSynchronizeStream(stream));
        EXPECT(read(from, &word, 1) == 1);
        /* Each signal ends one wait. */
        CHECK(aclrtWaitAndResetNotify(notify, stream, 1));
        RETURNS(107020, aclrtSynchronizeStream(stream));
        EXPECT(write(to, &word, 1) == 1);
    }
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(status == 0);
    CHECK(aclrtDestroyNotify(notify));
    CHECK(aclrtDestroyStream(stream));
    end();
}

int main(void) {
    int there[2], back[2];
    EXPECT(pipe(there) == 0 && pipe(back) == 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        record(there[0], back[1]);
    } else {
        await(back[0], there[1], other);
    }
    return 0;
}
