/* There is no card, so nothing can be initialised: with ASCENDCL_EMULATOR_DEVICES=0 */
#include "../check.h"

int main(void) {
    RETURNS(500000, aclInit(NULL));
    RETURNS(107001, aclrtSetDevice(0));
    return 0;
}
