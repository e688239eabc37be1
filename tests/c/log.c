/* The application log: off by default; its level is read when the program starts. */
#include "check.h"

#include <unistd.h>

/* The variable with the name of this run: the program runs itself with other variables. */
static const char RUN[] = "LOG_RUN";

/* Checks the output since the last check. `expected` has a place for the process number, and `#` means one
   digit. */
static void expect_printed(FILE *sink, const char *expected) {
    char text[512] = {0}, line[512] = {0};
    fflush(stdout);
    rewind(sink);
    size_t length = fread(text, 1, sizeof text - 1, sink);
    snprintf(line, sizeof line, expected, (long)getpid());
    int same = length == strlen(line);
    for (size_t i = 0; same && i < length; i++) {
        same = line[i] == '#' ? text[i] >= '0' && text[i] <= '9' : text[i] == line[i];
    }
    if (!same) {
        fprintf(stderr, "printed \"%s\" and not \"%s\"\n", text, line);
        exit(1);
    }
    EXPECT(ftruncate(fileno(sink), 0) == 0);
    rewind(sink);
}

/* Runs the program again; returns only if that fails. */
static void again(char *program, const char *run) {
    char *arguments[] = {program, NULL};
    EXPECT(setenv(RUN, run, 1) == 0);
    execv("/proc/self/exe", arguments);
    perror("execv");
    exit(1);
}

int main(int count, char **arguments) {
    EXPECT(count > 0);
    const char *run = getenv(RUN);
    FILE *sink = tmpfile();
    int out = dup(STDOUT_FILENO);
    EXPECT(sink != NULL && out >= 0 && dup2(fileno(sink), STDOUT_FILENO) == STDOUT_FILENO);

    if (run == NULL) {
        unsetenv("ASCEND_SLOG_PRINT_TO_STDOUT");
        unsetenv("ASCEND_GLOBAL_LOG_LEVEL");
        ACL_APP_LOG(ACL_ERROR, "nobody asked");
        expect_printed(sink, "");
        setenv("ASCEND_SLOG_PRINT_TO_STDOUT", "1", 1);
        EXPECT(dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
        again("printer", "errors");
    } else if (strcmp(run, "errors") == 0) {
        ACL_APP_LOG(ACL_WARNING, "less than an error");
        expect_printed(sink, "");
        aclAppLog(ACL_ERROR, "load", "model.c", 7, "%s has %d parts and weighs %.1f", "a", 3, 0.5);
        char line[128];
        snprintf(line, sizeof line, "[ERROR] APP(%%ld,printer):####-##-##-##:##:##.###.### %ld load:model.c:7: "
                 "\"a has 3 parts and weighs 0.5\"\n", (long)getpid());
        expect_printed(sink, line);
        /* This is too late: the level was read before. */
        setenv("ASCEND_GLOBAL_LOG_LEVEL", "1", 1);
        ACL_APP_LOG(ACL_INFO, "too fine");
        expect_printed(sink, "");
        EXPECT(dup2(out, STDOUT_FILENO) == STDOUT_FILENO);
        again("printer", "level");
    } else {
        aclAppLog(ACL_DEBUG, "load", "model.c", 8, "too fine");
        aclAppLog(ACL_INFO, NULL, "model.c", 9, "no function");
        aclAppLog(ACL_INFO, "load", NULL, 9, "no file");
        aclAppLog(ACL_INFO, "load", "model.c", 9, NULL);
        expect_printed(sink, "");
        aclAppLog(ACL_INFO, "load", "model.c", 10, "%d%%", 5);
        char line[128];
        snprintf(line, sizeof line, "[INFO] APP(%%ld,printer):####-##-##-##:##:##.###.### %ld load:model.c:10: "
                 "\"5%%%%\"\n", (long)getpid());
        expect_printed(sink, line);
    }
    return arguments[0] == NULL;
}
