/* Operators of AscendCL that the emulator knows. Written by `cargo xtask capi`. */
#ifndef ASCENDCL_EMULATOR_@GUARD@
#define ASCENDCL_EMULATOR_@GUARD@

#include "acl/acl.h"

#ifdef __cplusplus
extern "C" {
#endif
@DECLARATIONS@

#ifdef __cplusplus
}
#endif
#endif
