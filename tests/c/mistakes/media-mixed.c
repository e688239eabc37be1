/* A process uses both generations of the media engine. */
#include "../check.h"

int main(void) {
    begin();
    CHECK(hi_mpi_sys_init());
    acldvppChannelDesc *channel = acldvppCreateChannelDesc();
    CHECK(acldvppCreateChannel(channel)); /* here */
    CHECK(acldvppDestroyChannel(channel));
    CHECK(acldvppDestroyChannelDesc(channel));
    CHECK(hi_mpi_sys_exit());
    end();
    return 0;
}
