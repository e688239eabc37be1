/* A header that agrees with ascendcl-sys, for the tests of `cargo xtask headers`. */
#include <stddef.h>
#include <stdint.h>
#define ACL_EVENT_SYNC 0x00000001U
typedef int aclError;
typedef void *aclrtEvent;
typedef enum { ACL_DEVICE, ACL_HOST } aclrtRunMode;
typedef struct { uint32_t addrOffset; uint32_t dataOffset; } aclrtPlaceHolderInfo;
aclError aclrtSetOpWaitTimeout(uint32_t timeout);
aclError aclrtIpcMemClose(const char *key);
