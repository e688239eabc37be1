/* aclAppLog, which `log.rs` exports. The library reads two variables of CANN when it is loaded. It prints lines only if
   ASCEND_SLOG_PRINT_TO_STDOUT is 1, and only from the level ASCEND_GLOBAL_LOG_LEVEL on, whose default is 3 (errors).
   On a card the lines otherwise go to files. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const char *const LEVELS[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

/* The lowest level that is printed. No line has the initial value, so nothing is printed. */
static long least = sizeof LEVELS / sizeof *LEVELS;

__attribute__((constructor)) static void read_variables(void) {
    const char *print = getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    const char *level = getenv("ASCEND_GLOBAL_LOG_LEVEL");
    if (print != NULL && strcmp(print, "1") == 0) {
        least = level == NULL ? 3 : strtol(level, NULL, 10);
    }
}

void ascendcl_app_log(uint32_t level, const char *function, const char *file, uint32_t line,
                      const char *format, ...) {
    if (level >= sizeof LEVELS / sizeof *LEVELS || (long)level < least) {
        return;
    }
    if (function == NULL || file == NULL || format == NULL) {
        return;
    }
    struct timespec now = {0};
    struct tm parts = {0};
    char date[32] = "";
    clock_gettime(CLOCK_REALTIME, &now);
    if (localtime_r(&now.tv_sec, &parts) != NULL) {
        strftime(date, sizeof date, "%Y-%m-%d-%H:%M:%S", &parts);
    }
    long thread = syscall(SYS_gettid);
    flockfile(stdout);
    printf("[%s] APP(%ld,%s):%s.%03ld.%03ld %ld %s:%s:%lu: \"", LEVELS[level], (long)getpid(),
           program_invocation_short_name, date, now.tv_nsec / 1000000, now.tv_nsec / 1000 % 1000,
           thread, function, file, (unsigned long)line);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    fputs("\"\n", stdout);
    fflush(stdout);
    funlockfile(stdout);
}
