// The parameters of an operator, as its host part declares them, for a kernel that reads them by GET_TILING_DATA:
//
//     cargo xtask kernel op_kernel/add.cpp -- -include op_host/add_tiling.h -DASCENDCL_TILING=AddTilingData
#ifndef ASCENDCL_TILINGDATA_BASE_H
#define ASCENDCL_TILINGDATA_BASE_H

#include <cstdint>

// The host declares them in this namespace, and the kernel names them without it.
namespace optiling {
}
using namespace optiling;

#define BEGIN_TILING_DATA_DEF(Name) struct Name {
#define TILING_DATA_FIELD_DEF(Type, name) Type name
#define TILING_DATA_FIELD_DEF_ARR(Type, length, name) Type name[length]
#define TILING_DATA_FIELD_DEF_STRUCT(Type, name) Type name
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(Operator, Name) static_assert(true);

#endif
