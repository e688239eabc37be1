// y = scale * x + shift, with the numbers in a structure: by value, and behind a pointer (a placeholder).
#include "kernel_operator.h"
using namespace AscendC;

struct Line {
    uint8_t is_on;
    uint32_t length;
    double scale;
    float shift;
};

static __aicore__ inline void apply(__gm__ const float *x, __gm__ float *y, const Line &line)
{
    for (uint32_t i = uint32_t(GetBlockIdx()); i < line.length; i += uint32_t(GetBlockNum())) {
        y[i] = line.is_on != 0 ? float(line.scale) * x[i] + line.shift : x[i];
    }
}
extern "C" __global__ __aicore__ void by_value(const float *x, float *y, Line line, uint16_t repeats)
{
    for (uint16_t i = 0; i < repeats; i++) {
        apply(x, y, line);
    }
}
extern "C" __global__ __aicore__ void placed(const float *x, float *y, const Line *tiling)
{
    GET_TILING_DATA_WITH_STRUCT(Line, line, tiling);
    apply(x, y, line);
    if (GetBlockIdx() == 0) {
        printf("%u elements, scale %.1f\n", line.length, line.scale);
    }
}
ASCENDCL_EXPORT(by_value)
ASCENDCL_EXPORT(placed)
