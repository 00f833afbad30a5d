#pragma once

#include <cuda.h>

#include <string_view>

namespace gpuseq::cuda {

/// The functions of the driver in use, from libcuda.so.1. Types are those of cuda.h under their versioned
/// names, so that a pointer cannot have another version's signature.
struct DriverApi {
  decltype(&::cuInit) init;
  decltype(&::cuDriverGetVersion) driver_get_version;
  decltype(&::cuGetErrorName) get_error_name;
  decltype(&::cuGetErrorString) get_error_string;

  decltype(&::cuDeviceGetCount) device_get_count;
  decltype(&::cuDeviceGet) device_get;
  decltype(&::cuDeviceGetName) device_get_name;
  decltype(&::cuDeviceGetUuid_v2) device_get_uuid;
  decltype(&::cuDeviceGetPCIBusId) device_get_pci_bus_id;
  decltype(&::cuDeviceTotalMem_v2) device_total_mem;
  decltype(&::cuDeviceGetAttribute) device_get_attribute;
  decltype(&::cuDevicePrimaryCtxRetain) primary_ctx_retain;
  decltype(&::cuDevicePrimaryCtxRelease_v2) primary_ctx_release;
  decltype(&::cuCtxSetCurrent) ctx_set_current;
  decltype(&::cuDeviceCanAccessPeer) device_can_access_peer;
  decltype(&::cuCtxEnablePeerAccess) ctx_enable_peer_access;

  decltype(&::cuStreamCreate) stream_create;
  decltype(&::cuStreamSynchronize) stream_synchronize;
  decltype(&::cuStreamWaitEvent) stream_wait_event;
  decltype(&::cuStreamDestroy_v2) stream_destroy;
  decltype(&::cuEventCreate) event_create;
  decltype(&::cuEventRecord) event_record;
  decltype(&::cuEventSynchronize) event_synchronize;
  decltype(&::cuEventDestroy_v2) event_destroy;
  /// The first version: CUDA 13's header declares only the second, which drivers before 12.8 lack.
  CUresult(CUDAAPI* event_elapsed_time)(float* elapsed_ms, CUevent start, CUevent end);

  decltype(&::cuMemGetInfo_v2) mem_get_info;
  decltype(&::cuMemAlloc_v2) mem_alloc;
  decltype(&::cuMemFree_v2) mem_free;
  decltype(&::cuMemcpyHtoDAsync_v2) memcpy_host_to_device_async;
  decltype(&::cuMemcpyDtoHAsync_v2) memcpy_device_to_host_async;
  decltype(&::cuMemcpyDtoDAsync_v2) memcpy_device_to_device_async;
  decltype(&::cuMemcpyPeerAsync) memcpy_peer_async;
  decltype(&::cuMemsetD8Async) memset_d8_async;
  decltype(&::cuMemAllocHost_v2) mem_alloc_host;
  decltype(&::cuMemFreeHost) mem_free_host;

  decltype(&::cuArrayCreate_v2) array_create;
  decltype(&::cuArrayDestroy) array_destroy;
  decltype(&::cuMemcpy2DAsync_v2) memcpy_2d_async;
  decltype(&::cuTexObjectCreate) tex_object_create;
  decltype(&::cuTexObjectDestroy) tex_object_destroy;

  decltype(&::cuModuleLoadData) module_load_data;
  decltype(&::cuModuleUnload) module_unload;
  decltype(&::cuModuleGetFunction) module_get_function;
  decltype(&::cuModuleGetGlobal_v2) module_get_global;
  decltype(&::cuFuncGetAttribute) func_get_attribute;
  decltype(&::cuFuncSetAttribute) func_set_attribute;
  decltype(&::cuOccupancyMaxActiveBlocksPerMultiprocessor) occupancy_max_active_blocks;
  decltype(&::cuOccupancyMaxActiveClusters) occupancy_max_active_clusters;
  decltype(&::cuLaunchKernel) launch_kernel;
};

/// Opens libcuda.so.1 on the first call. @throws CudaError with the searched places
const DriverApi& driver();

/// @throws CudaError "<call>: <error name>: <error text>" unless `status` is success
void check(CUresult status, std::string_view call);

}  // namespace gpuseq::cuda
