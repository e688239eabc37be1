/* A process destroys twice what it has imported: on a card the second call deletes freed memory. */
#include <sys/wait.h>
#include <unistd.h>

#include "../check.h"

enum { KEY = 65 };

/* The other process makes a notify, and ends when this one has imported it. */
static void offer(int to, int until) {
    begin();
    aclrtNotify notify = NULL;
    char key[KEY], word = 0;
    CHECK(aclrtCreateNotify(&notify, ACL_NOTIFY_DEFAULT));
    CHECK(aclrtNotifyGetExportKey(notify, key, KEY, ACL_RT_NOTIFY_EXPORT_FLAG_DISABLE_PID_VALIDATION));
    EXPECT(write(to, key, sizeof key) == (ssize_t)sizeof key);
    EXPECT(read(until, &word, 1) == 0);
    CHECK(aclrtDestroyNotify(notify));
    end();
}

int main(void) {
    int keys[2], life[2];
    EXPECT(pipe(keys) == 0 && pipe(life) == 0);
    pid_t other = fork();
    EXPECT(other >= 0);
    if (other == 0) {
        close(life[1]);
        offer(keys[1], life[0]);
        return 0;
    }
    char key[KEY];
    EXPECT(read(keys[0], key, sizeof key) == (ssize_t)sizeof key);
    begin();
    aclrtNotify notify = NULL;
    CHECK(aclrtNotifyImportByKey(&notify, key, ACL_RT_NOTIFY_IMPORT_FLAG_DEFAULT));
    close(life[1]);
    int status = 1;
    EXPECT(waitpid(other, &status, 0) == other);
    EXPECT(status == 0);
    CHECK(aclrtDestroyNotify(notify));
    aclrtDestroyNotify(notify); /* here */
    end();
    return 0;
}
