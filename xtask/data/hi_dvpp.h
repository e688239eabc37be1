/* What the headers of the second media interface define beside the declarations. Programs may define the macros, too. */
typedef long long hi_s64;
#ifndef HI_NULL
#define HI_NULL 0L
#endif
#ifndef DEFAULT_ALIGN
#define DEFAULT_ALIGN 32U
#endif
#ifndef ALIGN_UP
#define ALIGN_UP(value, unit) ((((value) + (unit) - 1) / (unit)) * (unit))
#endif
