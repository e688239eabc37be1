
/* The numbers of half precision that programs in C++ fill tensors with and print. */
#ifndef ASCENDCL_EMULATOR_FP16_T_H
#define ASCENDCL_EMULATOR_FP16_T_H
#ifdef __cplusplus
namespace op {
struct fp16_t {
    aclFloat16 val;
    fp16_t() : val(0) {}
    fp16_t(float value) : val(aclFloatToFloat16(value)) {}
    operator float() const { return aclFloat16ToFloat(val); }
};
}
#endif
#endif
