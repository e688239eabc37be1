/* Operators called with the liberties that a card allows and public programs take. */
#include "operators.h"
#include "aclnnop/aclnn_reduce_sum.h"
#include "aclnnop/aclnn_rms_norm.h"
#include "aclnnop/aclnn_sum.h"

/* Declared here instead of in a header, and with a constant output. */
aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor *self, const aclTensor *out, uint64_t *workspaceSize,
                                     aclOpExecutor **executor);
aclnnStatus aclnnExp(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream);

enum { ROWS = 2, COLUMNS = 4 };

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    const float numbers[ROWS * COLUMNS] = {3, 3, 3, 3, 0, 0, 0, 0}, ones[COLUMNS] = {1, 1, 1, 1};
    void *memory = on_device(numbers, sizeof numbers);

    /* The offset is behind the announced storage, which is that of the view alone. */
    const int64_t row[1] = {COLUMNS}, step[1] = {1};
    aclTensor *last = aclCreateTensor(row, 1, ACL_FLOAT, step, COLUMNS, ACL_FORMAT_ND, row, 1, memory);
    EXPECT(last != NULL);
    CHECK(aclnnExpGetWorkspaceSize(last, last, &size, &executor));
    finish(aclnnExp, size, executor, stream);
    const float powers[ROWS * COLUMNS] = {3, 3, 3, 3, 1, 1, 1, 1};
    expect_bytes(memory, powers, sizeof powers);

    /* The only sum goes to a tensor of rank 1. */
    const int64_t zero[1] = {0}, single[1] = {1};
    float sum = 0;
    void *total = on_device(&sum, sizeof sum);
    aclTensor *out = tensor(total, ACL_FLOAT, single, 1);
    aclIntArray *dims = aclCreateIntArray(zero, 1);
    CHECK(aclnnReduceSumGetWorkspaceSize(last, dims, false, ACL_FLOAT, out, &size, &executor));
    finish(aclnnReduceSum, size, executor, stream);
    sum = COLUMNS;
    expect_bytes(total, &sum, sizeof sum);

    /* The factors of the rows lack the last dimension, which is 1. */
    const int64_t shape[2] = {ROWS, COLUMNS}, rows[1] = {ROWS};
    float factors[ROWS] = {0, 0};
    void *weights = on_device(ones, sizeof ones), *of_rows = on_device(factors, sizeof factors);
    aclTensor *self = tensor(memory, ACL_FLOAT, shape, 2), *gamma = tensor(weights, ACL_FLOAT, row, 1);
    aclTensor *rstd = tensor(of_rows, ACL_FLOAT, rows, 1);
    CHECK(aclnnRmsNormGetWorkspaceSize(self, gamma, 0, self, rstd, &size, &executor));
    finish(aclnnRmsNorm, size, executor, stream);
    expect_bytes(memory, ones, sizeof ones);
    factors[0] = 1.0f / 3;
    factors[1] = 1;
    expect_bytes(of_rows, factors, sizeof factors);

    /* The size of a weight in a format that the program then does not use. */
    const int64_t weight[2] = {17, 16};
    aclIntArray *asked = aclCreateIntArray(weight, 2);
    CHECK(aclnnCalculateMatmulWeightSizeV2(asked, ACL_FLOAT16, &size));
    EXPECT(size == 512);

    CHECK(aclDestroyTensor(last));
    CHECK(aclDestroyTensor(out));
    CHECK(aclDestroyTensor(self));
    CHECK(aclDestroyTensor(gamma));
    CHECK(aclDestroyTensor(rstd));
    CHECK(aclDestroyIntArray(dims));
    CHECK(aclDestroyIntArray(asked));
    CHECK(aclrtFree(memory));
    CHECK(aclrtFree(total));
    CHECK(aclrtFree(weights));
    CHECK(aclrtFree(of_rows));
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
