#include "runtime/cuda/driver_api.hpp"

#include <string>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/shared_library.hpp"

namespace gpuseq::cuda {
namespace {

DriverApi bind_driver() {
  const SharedLibrary library(Origin::driver, {"libcuda.so.1"});
  DriverApi api{};
  library.bind(api.init, "cuInit");
  library.bind(api.driver_get_version, "cuDriverGetVersion");
  library.bind(api.get_error_name, "cuGetErrorName");
  library.bind(api.get_error_string, "cuGetErrorString");

  library.bind(api.device_get_count, "cuDeviceGetCount");
  library.bind(api.device_get, "cuDeviceGet");
  library.bind(api.device_get_name, "cuDeviceGetName");
  library.bind(api.device_get_uuid, "cuDeviceGetUuid_v2");
  library.bind(api.device_get_pci_bus_id, "cuDeviceGetPCIBusId");
  library.bind(api.device_total_mem, "cuDeviceTotalMem_v2");
  library.bind(api.device_get_attribute, "cuDeviceGetAttribute");
  library.bind(api.primary_ctx_retain, "cuDevicePrimaryCtxRetain");
  library.bind(api.primary_ctx_release, "cuDevicePrimaryCtxRelease_v2");
  library.bind(api.ctx_set_current, "cuCtxSetCurrent");
  library.bind(api.device_can_access_peer, "cuDeviceCanAccessPeer");
  library.bind(api.ctx_enable_peer_access, "cuCtxEnablePeerAccess");

  library.bind(api.stream_create, "cuStreamCreate");
  library.bind(api.stream_synchronize, "cuStreamSynchronize");
  library.bind(api.stream_wait_event, "cuStreamWaitEvent");
  library.bind(api.stream_destroy, "cuStreamDestroy_v2");
  library.bind(api.event_create, "cuEventCreate");
  library.bind(api.event_record, "cuEventRecord");
  library.bind(api.event_synchronize, "cuEventSynchronize");
  library.bind(api.event_destroy, "cuEventDestroy_v2");
  library.bind(api.event_elapsed_time, "cuEventElapsedTime");

  library.bind(api.mem_get_info, "cuMemGetInfo_v2");
  library.bind(api.mem_alloc, "cuMemAlloc_v2");
  library.bind(api.mem_free, "cuMemFree_v2");
  library.bind(api.memcpy_host_to_device_async, "cuMemcpyHtoDAsync_v2");
  library.bind(api.memcpy_device_to_host_async, "cuMemcpyDtoHAsync_v2");
  library.bind(api.memcpy_device_to_device_async, "cuMemcpyDtoDAsync_v2");
  library.bind(api.memcpy_peer_async, "cuMemcpyPeerAsync");
  library.bind(api.memset_d8_async, "cuMemsetD8Async");
  library.bind(api.mem_alloc_host, "cuMemAllocHost_v2");
  library.bind(api.mem_free_host, "cuMemFreeHost");

  library.bind(api.array_create, "cuArrayCreate_v2");
  library.bind(api.array_destroy, "cuArrayDestroy");
  library.bind(api.memcpy_2d_async, "cuMemcpy2DAsync_v2");
  library.bind(api.tex_object_create, "cuTexObjectCreate");
  library.bind(api.tex_object_destroy, "cuTexObjectDestroy");

  library.bind(api.module_load_data, "cuModuleLoadData");
  library.bind(api.module_unload, "cuModuleUnload");
  library.bind(api.module_get_function, "cuModuleGetFunction");
  library.bind(api.module_get_global, "cuModuleGetGlobal_v2");
  library.bind(api.func_get_attribute, "cuFuncGetAttribute");
  library.bind(api.func_set_attribute, "cuFuncSetAttribute");
  library.bind(api.occupancy_max_active_blocks, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  library.bind(api.occupancy_max_active_clusters, "cuOccupancyMaxActiveClusters");
  library.bind(api.launch_kernel, "cuLaunchKernel");
  return api;
}

}  // namespace

const DriverApi& driver() {
  static const DriverApi api = bind_driver();
  return api;
}

void check(CUresult status, std::string_view call) {
  if (status == CUDA_SUCCESS) return;
  const char* name = nullptr;
  const char* text = nullptr;
  driver().get_error_name(status, &name);
  driver().get_error_string(status, &text);
  throw CudaError(std::string(call) + ": " + (name != nullptr ? name : "error " + std::to_string(status)) +
                  ": " + (text != nullptr ? text : "unknown to this driver"));
}

}  // namespace gpuseq::cuda
