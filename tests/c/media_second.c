/* Pictures with the second generation of the media engine: the usual sequence of calls, without decoding. */
#include "check.h"

#define WIDTH 32
#define HEIGHT 16

static hi_vpc_pic_info picture(hi_u32 width, hi_u32 height, int value) {
    hi_vpc_pic_info info = {0};
    info.picture_width = info.picture_width_stride = width;
    info.picture_height = info.picture_height_stride = height;
    info.picture_format = HI_PIXEL_FORMAT_YUV_400;
    info.picture_buffer_size = width * height;
    CHECK(hi_mpi_dvpp_malloc(0, &info.picture_address, info.picture_buffer_size));
    CHECK(aclrtMemset(info.picture_address, info.picture_buffer_size, value, info.picture_buffer_size));
    return info;
}

int main(void) {
    begin();
    CHECK(hi_mpi_sys_init());
    hi_vpc_chn channel = -1;
    hi_vpc_chn_attr attr = {0};
    CHECK(hi_mpi_vpc_sys_create_chn(&channel, &attr));
    EXPECT((hi_u32)hi_mpi_vpc_create_chn(channel, &attr) == HI_ERR_VPC_EXIST);

    hi_vpc_pic_info source = picture(WIDTH, HEIGHT, 7);
    hi_vpc_crop_resize_paste_region region = {0};
    region.dest_pic_info = picture(WIDTH, HEIGHT, 0);
    region.crop_region.crop_width = 16;
    region.crop_region.crop_height = 8;
    region.resize_info.resize_width = 16;
    region.resize_info.resize_height = 8;
    region.dest_left_offset = 16;
    hi_u32 task = 0;
    CHECK(hi_mpi_vpc_crop_resize_paste(channel, &source, &region, 1, &task, -1));
    CHECK(hi_mpi_vpc_get_process_result(channel, task, -1));

    unsigned char bytes[WIDTH * HEIGHT];
    void *pasted = region.dest_pic_info.picture_address;
    CHECK(aclrtMemcpy(bytes, sizeof bytes, pasted, sizeof bytes, ACL_MEMCPY_DEVICE_TO_HOST));
    EXPECT(bytes[15] == 0 && bytes[16] == 7 && bytes[7 * WIDTH + 31] == 7 && bytes[8 * WIDTH + 31] == 0);

    /* The fields of a union without a name are those of its structure. */
    hi_vdec_chn_param param = {0};
    param.type = HI_PT_JPEG;
    param.pic_param.pixel_format = HI_PIXEL_FORMAT_UNKNOWN;
    EXPECT((hi_u32)hi_mpi_vdec_set_chn_param(0, &param) == HI_ERR_VDEC_UNEXIST);

    CHECK(hi_mpi_dvpp_free(source.picture_address));
    CHECK(hi_mpi_dvpp_free(pasted));
    CHECK(hi_mpi_vpc_destroy_chn(channel));
    CHECK(hi_mpi_sys_exit());
    end();
    return 0;
}
