/* Operators that a text names: the sequences of the calls from before aclnn. */
#include "operators.h"
#include "acl/acl_op.h"
#include "acl/acl_op_compiler.h"

/* An operand: its description and its data buffer. */
typedef struct {
    aclTensorDesc *desc;
    aclDataBuffer *buffer;
    void *memory;
} Operand;

static Operand operand(aclDataType type, int rank, const int64_t *shape, const void *bytes) {
    Operand made;
    made.desc = aclCreateTensorDesc(type, rank, shape, ACL_FORMAT_ND);
    EXPECT(made.desc != NULL);
    size_t size = aclGetTensorDescSize(made.desc);
    made.memory = bytes != NULL ? on_device(bytes, size) : device_memory(size);
    made.buffer = aclCreateDataBuffer(made.memory, size);
    EXPECT(made.buffer != NULL);
    return made;
}

static void end_operand(Operand *operand) {
    aclDestroyTensorDesc(operand->desc);
    CHECK(aclDestroyDataBuffer(operand->buffer));
    CHECK(aclrtFree(operand->memory));
}

/* Compiles an operator and queues it in one call. */
static void add(aclrtStream stream) {
    const int64_t shape[2] = {8, 16};
    int32_t left[128], right[128], sums[128];
    for (int i = 0; i < 128; i++) {
        left[i] = i;
        right[i] = 2 * i;
        sums[i] = 3 * i;
    }
    Operand in[2] = {operand(ACL_INT32, 2, shape, left), operand(ACL_INT32, 2, shape, right)};
    Operand out = operand(ACL_INT32, 2, shape, NULL);
    const aclTensorDesc *in_descs[2] = {in[0].desc, in[1].desc}, *out_descs[1] = {out.desc};
    const aclDataBuffer *ins[2] = {in[0].buffer, in[1].buffer};
    aclDataBuffer *outs[1] = {out.buffer};
    aclopAttr *attr = aclopCreateAttr();
    CHECK(aclopCompileAndExecute("Add", 2, in_descs, ins, 1, out_descs, outs, attr, ACL_ENGINE_SYS,
                                 ACL_COMPILE_SYS, NULL, stream));
    aclopDestroyAttr(attr);
    CHECK(aclrtSynchronizeStream(stream));
    expect_bytes(out.memory, sums, sizeof sums);
    for (int i = 0; i < 2; i++) {
        end_operand(&in[i]);
    }
    end_operand(&out);
}

/* Compiles an operator first, and queues it later. */
static void multiply(aclrtStream stream) {
    const int64_t shape[2] = {2, 2};
    const float left[4] = {1, 2, 3, 4}, right[4] = {1, 3, 2, 4}, product[4] = {7, 10, 15, 22};
    Operand in[2] = {operand(ACL_FLOAT, 2, shape, left), operand(ACL_FLOAT, 2, shape, right)};
    Operand out = operand(ACL_FLOAT, 2, shape, NULL);
    aclTensorDesc *in_descs[2] = {in[0].desc, in[1].desc}, *out_descs[1] = {out.desc};
    aclDataBuffer *ins[2] = {in[0].buffer, in[1].buffer}, *outs[1] = {out.buffer};
    aclopAttr *attr = aclopCreateAttr();
    CHECK(aclopSetAttrBool(attr, "transpose_x1", 0));
    CHECK(aclopSetAttrBool(attr, "transpose_x2", 1));
    RETURNS(ACL_ERROR_OP_NOT_FOUND,
            aclopExecuteV2("MatMul", 2, in_descs, ins, 1, out_descs, outs, attr, stream));
    CHECK(aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"));
    CHECK(aclopCompile("MatMul", 2, (const aclTensorDesc *const *)in_descs, 1,
                       (const aclTensorDesc *const *)out_descs, attr, ACL_ENGINE_SYS, ACL_COMPILE_SYS,
                       NULL));
    CHECK(aclopExecuteV2("MatMul", 2, in_descs, ins, 1, out_descs, outs, attr, stream));
    CHECK(aclrtSynchronizeStream(stream));
    expect_bytes(out.memory, product, sizeof product);
    aclopDestroyAttr(attr);
    for (int i = 0; i < 2; i++) {
        end_operand(&in[i]);
    }
    end_operand(&out);
}

/* Looks the operator Cast up and runs it twice. */
static void cast(aclrtStream stream) {
    const int64_t shape[1] = {3};
    const float numbers[3] = {1.9F, -1.9F, 300};
    const int32_t cut[3] = {1, -1, 300};
    Operand from = operand(ACL_FLOAT, 1, shape, numbers), to = operand(ACL_INT32, 1, shape, NULL);
    const aclTensorDesc *in[1] = {from.desc}, *out[1] = {to.desc};
    const aclDataBuffer *ins[1] = {from.buffer};
    aclDataBuffer *outs[1] = {to.buffer};
    aclopAttr *attr = aclopCreateAttr();
    aclopHandle *handle = NULL;
    CHECK(aclopSetAttrInt(attr, "dst_type", ACL_INT32));
    CHECK(aclopCompile("Cast", 1, in, 1, out, attr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, NULL));
    CHECK(aclopCast(from.desc, from.buffer, to.desc, to.buffer, 0, stream));
    CHECK(aclopCreateHandle("Cast", 1, in, 1, out, attr, &handle));
    for (int i = 0; i < 2; i++) {
        CHECK(aclopExecWithHandle(handle, 1, ins, 1, outs, stream));
    }
    CHECK(aclrtSynchronizeStream(stream));
    expect_bytes(to.memory, cut, sizeof cut);
    aclopDestroyHandle(handle);
    aclopDestroyAttr(attr);
    end_operand(&from);
    end_operand(&to);
}

int main(void) {
    begin();
    aclrtStream stream = new_stream();
    add(stream);
    multiply(stream);
    cast(stream);
    CHECK(aclrtDestroyStream(stream));
    end();
    return 0;
}
