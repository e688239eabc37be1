# Allocates and releases the resources of a program: the device, a stream, and the default stream of the device.
import acl

device_id = 0

ret = acl.init()
assert ret == 0
ret = acl.rt.set_device(device_id)
assert ret == 0
assert acl.rt.get_device() == (device_id, 0)
stream, ret = acl.rt.create_stream()
assert ret == 0 and stream != 0
run_mode, ret = acl.rt.get_run_mode()
assert (run_mode, ret) == (1, 0)
assert acl.rt.synchronize_stream(0) == 0
assert acl.get_soc_name() == acl.rt.get_soc_name() != ""
count, ret = acl.rt.get_device_count()
assert count >= 1
free, total, ret = acl.rt.get_mem_info(0)
assert free <= total
usage, ret = acl.rt.get_device_utilization_rate(device_id)
assert "cube_utilization" in usage

ret = acl.rt.destroy_stream(stream)
assert ret == 0
ret = acl.rt.reset_device(device_id)
assert ret == 0
assert acl.finalize() == 0
