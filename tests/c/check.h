/* Shared parts of the programs. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl.h"

/* A call that must return this code. */
#define RETURNS(code, call)                                                          \
    do {                                                                             \
        long answer = (long)(call);                                                  \
        if (answer != (code)) {                                                      \
            const char *text = aclGetRecentErrMsg();                                 \
            fprintf(stderr, "%s:%d: %s returned %ld: %s\n", __FILE__, __LINE__,      \
                    #call, answer, text ? text : "no text");                         \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* A call that must succeed. */
#define CHECK(call) RETURNS(0, call)

/* A condition that must be true. */
#define EXPECT(condition)                                                            \
    do {                                                                             \
        if (!(condition)) {                                                          \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

/* Whether the library is the emulator. Otherwise the variable names the folder of the library under test. */
static inline int is_emulator(void) {
    return getenv("ASCENDCL_TEST_LIBRARIES") == NULL;
}

/* The text of the last failed call has these words. The texts of other libraries have other words. */
#define SAYS(words)                                                                   \
    EXPECT(!is_emulator() || strstr(aclGetRecentErrMsg(), words) != NULL)

/* The first and the last calls of nearly all programs. */
static inline void begin(void) {
    CHECK(aclInit(NULL));
    CHECK(aclrtSetDevice(0));
}

static inline void end(void) {
    CHECK(aclrtResetDevice(0));
    CHECK(aclFinalize());
}

static inline void *device_memory(size_t size) {
    void *memory = NULL;
    CHECK(aclrtMalloc(&memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    return memory;
}

static inline void *host_memory(size_t size) {
    void *memory = NULL;
    CHECK(aclrtMallocHost(&memory, size));
    memset(memory, 0, size);
    return memory;
}

static inline aclrtStream new_stream(void) {
    aclrtStream stream = NULL;
    CHECK(aclrtCreateStream(&stream));
    return stream;
}

#endif
