// Ascend C for the compiler of this machine: a vector kernel that includes this file becomes a shared object, and the
// emulator of `ascendcl` runs it.
//
//     cargo xtask kernel add.cpp --out add.so
//
// finds the kernels of a source, leaves out functions of the host (`<<<>>>`), exports the kernels, and calls g++. Without
// the tool, end the source with a line `ASCENDCL_EXPORT(add)` for each kernel, and
//
//     g++ -std=c++17 -O2 -fno-strict-aliasing -shared -fPIC -fvisibility=hidden -D__CCE_KT_TEST__ -I <folder of this file> add.cpp -o add.so
//
// What the toolchain gives to an operator are options here: `-DDTYPE_X=half`, and the structure of GET_TILING_DATA
// (`ascendc/control.h`). Options of the compiler follow the tool's behind `--`.
//
// What is here: one AI vector core, whose instructions run one after the other, in the order of the source. So `SetFlag`,
// `WaitFlag` and `PipeBarrier` order nothing, and a missing one is not found. What a core would wait for for ever, or
// compute nonsense from, stops the block with a text: see `ascendc/core.h`.
//
// What is not here: the cube (`Mmad`, `Matmul`), sorting, and much of the library of algorithms. `ascendc/missing.h` names
// what people use most; each is an error of the compiler that says so. Types are checked less than by the compiler of a
// card: `Add` of `bfloat16_t` or `uint8_t` is taken here. Results of `Exp`, `Ln` and such functions are those of this
// machine, and differ from a card's in the last bits. Integers wrap around; `half` overflows to infinity.
#ifndef ASCENDCL_KERNEL_OPERATOR_H
#define ASCENDCL_KERNEL_OPERATOR_H

#include "ascendc/words.h"    // __aicore__, GM_ADDR and the other words in front of functions and pointers
#include "ascendc/export.h"   // what the emulator calls; faults and exceptions of a kernel
#include "ascendc/numbers.h"  // half, bfloat16_t, rounding
#include "ascendc/core.h"     // the unified buffer and the state of one core, and its checks
#include "ascendc/tensor.h"   // GlobalTensor, LocalTensor
#include "ascendc/queue.h"    // TPipe, TQue, TBuf
#include "ascendc/control.h"  // GetBlockIdx, events, SyncAll, printf, assert, tiling
#include "ascendc/copy.h"     // DataCopy, DataCopyPad, SetAtomicAdd
#include "ascendc/lanes.h"    // masks and repeats: how an instruction walks over its operands
#include "ascendc/vector.h"   // Add, Muls, Exp, Cast and the others that work element by element
#include "ascendc/reduce.h"   // ReduceSum, WholeReduceMax, BlockReduceSum
#include "ascendc/select.h"   // Compare, Select, Gather, Broadcast
#include "ascendc/missing.h"  // what is not here, by name

#endif
