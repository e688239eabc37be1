/* Kernels in Ascend C, built by the test: sources of emulator/tests/kernels. */
#ifndef KERNEL_H
#define KERNEL_H

#include "check.h"

/* Loads the shared object of a source. */
static inline aclrtBinHandle load(const char *source) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.so", getenv("ASCENDCL_TEST_KERNELS"), source);
    aclrtBinHandle binary = NULL;
    CHECK(aclrtBinaryLoadFromFile(path, NULL, &binary));
    return binary;
}

static inline aclrtFuncHandle look_up(aclrtBinHandle binary, const char *name) {
    aclrtFuncHandle function = NULL;
    CHECK(aclrtBinaryGetFunction(binary, name, &function));
    return function;
}

/* The arguments of a kernel of mistakes.cpp: 64 floats each. */
struct arguments {
    void *x, *y;
    uint32_t n;
};

static inline struct arguments two_buffers(void) {
    struct arguments arguments = {device_memory(256), device_memory(256), 64};
    CHECK(aclrtMemset(arguments.x, 256, 0, 256));
    CHECK(aclrtMemset(arguments.y, 256, 0, 256));
    return arguments;
}

static inline void free_both(struct arguments arguments) {
    CHECK(aclrtFree(arguments.x));
    CHECK(aclrtFree(arguments.y));
}

#endif
