/* Shared parts of the programs for operators. */
#ifndef OPERATORS_H
#define OPERATORS_H

#include "check.h"
#include "aclnn/acl_meta.h"

enum { MOST_DIMENSIONS = 8 };

/* Allocates device memory and copies these bytes to it. */
static inline void *on_device(const void *bytes, size_t size) {
    void *memory = device_memory(size);
    CHECK(aclrtMemcpy(memory, size, bytes, size, ACL_MEMCPY_HOST_TO_DEVICE));
    return memory;
}

/* Makes a contiguous tensor. */
static inline aclTensor *tensor(void *memory, aclDataType type, const int64_t *shape, uint64_t rank) {
    int64_t strides[MOST_DIMENSIONS], stride = 1;
    for (uint64_t i = rank; i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
    }
    aclTensor *made = aclCreateTensor(shape, rank, type, strides, 0, ACL_FORMAT_ND, shape, rank, memory);
    EXPECT(made != NULL);
    return made;
}

/* The second phase of any operator. */
typedef aclnnStatus (*Launch)(void *, uint64_t, aclOpExecutor *, aclrtStream);

/* Runs the second phase and waits for the result. */
static inline void finish(Launch launch, uint64_t size, aclOpExecutor *executor, aclrtStream stream) {
    void *workspace = size > 0 ? device_memory(size) : NULL;
    CHECK(launch(workspace, size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    if (workspace != NULL) {
        CHECK(aclrtFree(workspace));
    }
}

/* Checks that device memory contains these bytes. */
static inline void expect_bytes(const void *memory, const void *expected, size_t size) {
    void *bytes = malloc(size);
    EXPECT(bytes != NULL);
    CHECK(aclrtMemcpy(bytes, size, memory, size, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(memcmp(bytes, expected, size) == 0);
    free(bytes);
}

#endif
