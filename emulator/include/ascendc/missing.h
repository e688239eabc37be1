// What is not here, by name: using it is an error of the compiler that says so, not one about an unknown word.
#ifndef ASCENDCL_MISSING_H
#define ASCENDCL_MISSING_H

#include "select.h"

namespace ascendcl {
template <class...> inline constexpr bool is_here = false;
}

#define ASCENDCL_MISSING(Name, why)                                                                                              \
    template <auto..., class... A> [[noreturn]] void Name(A &&...)                                                               \
    {                                                                                                                            \
        static_assert(ascendcl::is_here<A...>, "kernel_operator.h of ascendcl has no " #Name ": " why);                          \
        ascendcl::stop(#Name);                                                                                                   \
    }                                                                                                                            \
    template <class First, auto..., class... A> [[noreturn]] void Name(A &&...)                                                  \
    {                                                                                                                            \
        static_assert(ascendcl::is_here<First, A...>, "kernel_operator.h of ascendcl has no " #Name ": " why);                   \
        ascendcl::stop(#Name);                                                                                                   \
    }
#define ASCENDCL_MISSING_TYPE(Name, why)                                                                                         \
    template <class... A> struct Name {                                                                                          \
        static_assert(ascendcl::is_here<A...>, "kernel_operator.h of ascendcl has no " #Name ": " why);                          \
    };
#define ASCENDCL_CUBE "it has vector cores only; register a kernel in Rust for the matrix part (kernel::register)"
#define ASCENDCL_LOOP "write it with GetValue and SetValue for the emulator, or register a kernel in Rust (kernel::register)"
#define ASCENDCL_STEPS "write its steps with Exp, ReduceSum, ReduceMax, Muls and Adds, or register a kernel in Rust (kernel::register)"

namespace AscendC {

ASCENDCL_MISSING(Mmad, ASCENDCL_CUBE)
ASCENDCL_MISSING(MmadWithSparse, ASCENDCL_CUBE)
ASCENDCL_MISSING(LoadData, ASCENDCL_CUBE)
ASCENDCL_MISSING(LoadDataWithTranspose, ASCENDCL_CUBE)
ASCENDCL_MISSING(Fixpipe, ASCENDCL_CUBE)
ASCENDCL_MISSING(Conv2D, ASCENDCL_CUBE)
ASCENDCL_MISSING(Gemm, ASCENDCL_CUBE)
ASCENDCL_MISSING_TYPE(Matmul, ASCENDCL_CUBE)
ASCENDCL_MISSING_TYPE(MatmulImpl, ASCENDCL_CUBE)
enum class CubeFormat { ND, NZ, ZN, ZZ, NN, ND_ALIGN, SCALAR, VECTOR };
template <TPosition POSITION, CubeFormat FORMAT, class T, auto... OPTIONS> struct MatmulType {};
ASCENDCL_MISSING(CrossCoreSetFlag, ASCENDCL_CUBE)
ASCENDCL_MISSING(CrossCoreWaitFlag, ASCENDCL_CUBE)
ASCENDCL_MISSING(Sort, ASCENDCL_LOOP)
ASCENDCL_MISSING(Sort32, ASCENDCL_LOOP)
ASCENDCL_MISSING(MrgSort, ASCENDCL_LOOP)
ASCENDCL_MISSING(MrgSort4, ASCENDCL_LOOP)
ASCENDCL_MISSING(RpSort16, ASCENDCL_LOOP)
ASCENDCL_MISSING(Concat, ASCENDCL_LOOP)
ASCENDCL_MISSING(Extract, ASCENDCL_LOOP)
ASCENDCL_MISSING(TopK, ASCENDCL_LOOP)
ASCENDCL_MISSING(Gatherb, ASCENDCL_LOOP)
ASCENDCL_MISSING(Scatter, ASCENDCL_LOOP)
ASCENDCL_MISSING(Transpose, ASCENDCL_LOOP)
ASCENDCL_MISSING(TransDataTo5HD, ASCENDCL_LOOP)
ASCENDCL_MISSING(Pad, ASCENDCL_LOOP)
ASCENDCL_MISSING(BilinearInterpolation, ASCENDCL_LOOP)
ASCENDCL_MISSING(CumSum, ASCENDCL_LOOP)
ASCENDCL_MISSING(SoftMax, ASCENDCL_STEPS)
ASCENDCL_MISSING(SimpleSoftMax, ASCENDCL_STEPS)
ASCENDCL_MISSING(SoftmaxFlash, ASCENDCL_STEPS)
ASCENDCL_MISSING(SoftmaxFlashV2, ASCENDCL_STEPS)
ASCENDCL_MISSING(LogSoftMax, ASCENDCL_STEPS)
ASCENDCL_MISSING(LayerNorm, ASCENDCL_STEPS)
ASCENDCL_MISSING(RmsNorm, ASCENDCL_STEPS)
ASCENDCL_MISSING(BatchNorm, ASCENDCL_STEPS)
ASCENDCL_MISSING(GroupNorm, ASCENDCL_STEPS)
ASCENDCL_MISSING(DropOut, ASCENDCL_STEPS)
ASCENDCL_MISSING(SwiGLU, ASCENDCL_STEPS)
ASCENDCL_MISSING(GeGLU, ASCENDCL_STEPS)
ASCENDCL_MISSING(ReGlu, ASCENDCL_STEPS)
ASCENDCL_MISSING(Mean, ASCENDCL_STEPS)
ASCENDCL_MISSING(WelfordUpdate, ASCENDCL_STEPS)
ASCENDCL_MISSING(AscendQuant, ASCENDCL_STEPS)
ASCENDCL_MISSING(AscendDequant, ASCENDCL_STEPS)
ASCENDCL_MISSING(AscendAntiQuant, ASCENDCL_STEPS)
ASCENDCL_MISSING_TYPE(ListTensorDesc, "pass each tensor as a parameter of the kernel")
ASCENDCL_MISSING_TYPE(Hccl, "call collectives from the host")

} // namespace AscendC

namespace matmul {
using AscendC::Matmul, AscendC::MatmulImpl, AscendC::MatmulType;
}

#define REGIST_MATMUL_OBJ(...) static_assert(false, "kernel_operator.h of ascendcl has no REGIST_MATMUL_OBJ: " ASCENDCL_CUBE)
#define __cube__ static_assert(false, "kernel_operator.h of ascendcl has no __cube__ kernels: " ASCENDCL_CUBE);
#define __simd_vf__ static_assert(false, "kernel_operator.h of ascendcl has no __simd_vf__ functions: write them with LocalTensor");
#define __simt_vf__ static_assert(false, "kernel_operator.h of ascendcl has no __simt_vf__ functions: write them with LocalTensor");

#endif
