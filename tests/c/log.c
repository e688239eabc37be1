/* The application log: silent unless it is asked for, from the level that is asked for. */
#include "check.h"

#include <unistd.h>

/* What the calls since the last look have printed. `expected` has a place for the process. */
static void expect_printed(FILE *sink, const char *expected) {
    char text[512] = {0}, line[512] = {0};
    fflush(stdout);
    rewind(sink);
    size_t length = fread(text, 1, sizeof text - 1, sink);
    snprintf(line, sizeof line, expected, (long)getpid());
    if (length != strlen(line) || strcmp(text, line) != 0) {
        fprintf(stderr, "printed \"%s\" and not \"%s\"\n", text, line);
        exit(1);
    }
    EXPECT(ftruncate(fileno(sink), 0) == 0);
    rewind(sink);
}

int main(void) {
    FILE *sink = tmpfile();
    EXPECT(sink != NULL && dup2(fileno(sink), STDOUT_FILENO) == STDOUT_FILENO);

    ACL_APP_LOG(ACL_ERROR, "nobody asked");
    setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
    ACL_APP_LOG(ACL_WARNING, "less than an error");
    expect_printed(sink, "");

    aclAppLog(ACL_ERROR, "load", "model.c", 7, "%s has %d parts and weighs %.1f", "a", 3, 0.5);
    expect_printed(sink, "[ERROR] APP(%ld): [model.c:7] load: a has 3 parts and weighs 0.5\n");

    setenv("ASCEND_GLOBAL_LOG_LEVEL", "1", 1);
    aclAppLog(ACL_DEBUG, "load", "model.c", 8, "too fine");
    aclAppLog(ACL_INFO, NULL, NULL, 9, NULL);
    expect_printed(sink, "[INFO] APP(%ld): [(null):9] (null): (null)\n");
    return 0;
}
