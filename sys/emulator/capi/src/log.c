/* aclAppLog, which `log.rs` exports. The variables are those of CANN: nothing is printed unless
   ASCEND_SLOG_PRINT_TO_STDOUT is 1, and then from the level ASCEND_GLOBAL_LOG_LEVEL on, which is 3
   (errors) where it is not set. On a card the lines go to files otherwise. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const LEVELS[] = {"DEBUG", "INFO", "WARNING", "ERROR"};

static int is_wanted(uint32_t level) {
    const char *print = getenv("ASCEND_SLOG_PRINT_TO_STDOUT");
    const char *least = getenv("ASCEND_GLOBAL_LOG_LEVEL");
    if (level >= sizeof LEVELS / sizeof *LEVELS || print == NULL || strcmp(print, "1") != 0) {
        return 0;
    }
    return (long)level >= (least == NULL ? 3 : strtol(least, NULL, 10));
}

static const char *or_none(const char *text) {
    return text == NULL ? "(null)" : text;
}

void ascendcl_app_log(uint32_t level, const char *function, const char *file, uint32_t line,
                      const char *format, ...) {
    if (!is_wanted(level)) {
        return;
    }
    flockfile(stdout);
    printf("[%s] APP(%ld): [%s:%lu] %s: ", LEVELS[level], (long)getpid(), or_none(file),
           (unsigned long)line, or_none(function));
    va_list arguments;
    va_start(arguments, format);
    vprintf(or_none(format), arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    funlockfile(stdout);
}
