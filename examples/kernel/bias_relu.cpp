// x = relu(x + bias), row by row: what a layer does behind its product of matrices, in one pass over the memory. The blocks
// share the rows. `columns` is a multiple of 8, so that a row begins at a multiple of 32 bytes.
#include "kernel_operator.h"
using namespace AscendC;

class BiasRelu {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR bias, uint32_t rows, uint32_t columns)
    {
        this->rows = rows;
        this->columns = columns;
        rowsOfX.SetGlobalBuffer((__gm__ float *)x, rows * columns);
        biases.SetGlobalBuffer((__gm__ float *)bias, columns);
        pipe.InitBuffer(in, 2, columns * sizeof(float));
        pipe.InitBuffer(out, 2, columns * sizeof(float));
        pipe.InitBuffer(constants, 1, columns * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        LocalTensor<float> bias = constants.AllocTensor<float>();
        DataCopy(bias, biases, columns);
        constants.EnQue(bias);
        bias = constants.DeQue<float>();
        for (uint32_t row = GetBlockIdx(); row < rows; row += GetBlockNum()) {
            LocalTensor<float> x = in.AllocTensor<float>();
            DataCopy(x, rowsOfX[row * columns], columns);
            in.EnQue(x);
            x = in.DeQue<float>();
            LocalTensor<float> y = out.AllocTensor<float>();
            Add(y, x, bias, columns);
            Relu(y, y, columns);
            out.EnQue(y);
            in.FreeTensor(x);
            y = out.DeQue<float>();
            DataCopy(rowsOfX[row * columns], y, columns);
            out.FreeTensor(y);
        }
        constants.FreeTensor(bias);
    }

private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 2> in;
    TQue<QuePosition::VECIN, 1> constants;
    TQue<QuePosition::VECOUT, 2> out;
    GlobalTensor<float> rowsOfX, biases;
    uint32_t rows, columns;
};

extern "C" __global__ __aicore__ void bias_relu(GM_ADDR x, GM_ADDR bias, uint32_t rows, uint32_t columns)
{
    BiasRelu op;
    op.Init(x, bias, rows, columns);
    op.Process();
}
