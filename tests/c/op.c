/* Operators: the sum of two tensors in two phases, and arrays and lists as arguments. */
#include "check.h"
#include "aclnnop/aclnn_add.h"

enum { COUNT = 100 };

static aclTensor *tensor(void *memory) {
    int64_t shape[1] = {COUNT}, strides[1] = {1};
    aclTensor *made = aclCreateTensor(shape, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, shape, 1, memory);
    EXPECT(made != NULL);
    return made;
}

/* A list owns its tensors, and an array copies its numbers. */
static void lists(void *memory) {
    int64_t dims[2] = {0, 1}, *shape = NULL;
    uint64_t size = 0;
    aclIntArray *array = aclCreateIntArray(dims, 2);
    CHECK(aclGetIntArraySize(array, &size));
    EXPECT(size == 2);
    const aclTensor *tensors[2] = {tensor(memory), tensor(memory)};
    aclTensorList *list = aclCreateTensorList(tensors, 2);
    CHECK(aclGetTensorListSize(list, &size));
    EXPECT(size == 2);
    CHECK(aclGetViewShape(tensors[0], &shape, &size));
    EXPECT(size == 1 && shape[0] == COUNT);
    free(shape);
    CHECK(aclDestroyTensorList(list));
    CHECK(aclDestroyIntArray(array));
}

int main(void) {
    CHECK(aclnnInit(NULL));
    begin();
    aclrtStream stream = new_stream();
    float numbers[COUNT], sums[COUNT], factor = 2;
    for (int i = 0; i < COUNT; i++) {
        numbers[i] = (float)i;
    }
    void *left = device_memory(sizeof numbers), *out = device_memory(sizeof sums), *workspace = NULL;
    CHECK(aclrtMemcpy(left, sizeof numbers, numbers, sizeof numbers, ACL_MEMCPY_HOST_TO_DEVICE));
    aclTensor *operand = tensor(left), *result = tensor(out);
    aclScalar *alpha = aclCreateScalar(&factor, ACL_FLOAT);
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    CHECK(aclnnAddGetWorkspaceSize(operand, operand, alpha, result, &size, &executor));
    if (size > 0) {
        workspace = device_memory(size);
    }
    CHECK(aclnnAdd(workspace, size, executor, stream));
    CHECK(aclrtSynchronizeStream(stream));
    CHECK(aclrtMemcpy(sums, sizeof sums, out, sizeof sums, ACL_MEMCPY_DEVICE_TO_HOST));
    for (int i = 0; i < COUNT; i++) {
        EXPECT(sums[i] == 3 * numbers[i]);
    }
    lists(left);
    CHECK(aclDestroyTensor(operand));
    CHECK(aclDestroyTensor(result));
    CHECK(aclDestroyScalar(alpha));
    if (workspace != NULL) {
        CHECK(aclrtFree(workspace));
    }
    CHECK(aclrtFree(out));
    CHECK(aclrtFree(left));
    CHECK(aclrtDestroyStream(stream));
    end();
    CHECK(aclnnFinalize());
    return 0;
}
