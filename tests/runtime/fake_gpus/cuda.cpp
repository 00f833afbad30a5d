// A driver (libcuda.so.1) whose GPUs compute nothing: as many as FAKE_GPUS says. Every timed launch takes 4
// ms of waiting and is said to have taken 1 ms; where the folder FAKE_GPUS_CONTENDED is set, 2 ms while
// another process waits, too, as if the GPUs shared something.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#pragma GCC diagnostic ignored "-Wmissing-declarations"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMemoryBytes = std::size_t{16} << 30;
constexpr int kComputeMajor = 75, kComputeMinor = 76, kMultiprocessors = 16,
              kL2Bytes = 38;  // CUdevice_attribute
constexpr auto kRecently = std::chrono::milliseconds(50);
float last_ms = 1;

}  // namespace

extern "C" {

int cuGetErrorName(int, const char** text) {
  *text = "FAKE";
  return 0;
}
int cuGetErrorString(int, const char** text) {
  *text = "of a fake driver";
  return 0;
}
int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
int cuDeviceGetCount(int* count) {
  const char* given = std::getenv("FAKE_GPUS");
  *count = given == nullptr ? 0 : std::atoi(given);
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDeviceGetName(char* name, int length, int) {
  std::snprintf(name, static_cast<std::size_t>(length), "Fake GPU");
  return 0;
}
int cuDeviceGetUuid_v2(char* uuid, int device) {
  std::memset(uuid, device + 1, 16);
  return 0;
}
int cuDeviceGetPCIBusId(char* text, int length, int device) {
  std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
  return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
  *bytes = kMemoryBytes;
  return 0;
}
int cuDeviceGetAttribute(int* value, int which, int) {
  *value = which == kComputeMajor      ? 9
           : which == kComputeMinor    ? 0
           : which == kMultiprocessors ? 132
           : which == kL2Bytes         ? 1 << 20
                                       : 1024;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = reinterpret_cast<void*>(static_cast<std::size_t>(device) + 1);
  return 0;
}
int cuEventSynchronize(void*) {
  std::this_thread::sleep_for(std::chrono::milliseconds(4));
  last_ms = 1;
  const char* contended = std::getenv("FAKE_GPUS_CONTENDED");
  if (contended == nullptr) return 0;
  const fs::path own = fs::path(contended) / std::to_string(getpid());
  std::ofstream(own).put('x');
  for (const fs::path& file : fs::directory_iterator(contended))
    if (file != own && fs::file_time_type::clock::now() - fs::last_write_time(file) < kRecently) last_ms = 2;
  return 0;
}
int cuEventElapsedTime(float* ms, void*, void*) {
  *ms = last_ms;
  return 0;
}
int cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total) {
  *free_bytes = *total = kMemoryBytes;
  return 0;
}
int cuMemAlloc_v2(std::size_t* address, std::size_t) {
  *address = std::size_t{1} << 20;  // never read
  return 0;
}

// Functions that only succeed here.
int succeed(...) {
  return 0;
}
#define SUCCEEDS(name) int name(...) __attribute__((alias("succeed")))
SUCCEEDS(cuInit);
SUCCEEDS(cuDevicePrimaryCtxRelease_v2);
SUCCEEDS(cuCtxSetCurrent);
SUCCEEDS(cuDeviceCanAccessPeer);
SUCCEEDS(cuCtxEnablePeerAccess);
SUCCEEDS(cuStreamCreate);
SUCCEEDS(cuStreamSynchronize);
SUCCEEDS(cuStreamWaitEvent);
SUCCEEDS(cuStreamDestroy_v2);
SUCCEEDS(cuEventCreate);
SUCCEEDS(cuEventRecord);
SUCCEEDS(cuEventDestroy_v2);
SUCCEEDS(cuMemFree_v2);
SUCCEEDS(cuMemcpyHtoDAsync_v2);
SUCCEEDS(cuMemcpyDtoHAsync_v2);
SUCCEEDS(cuMemcpyDtoDAsync_v2);
SUCCEEDS(cuMemcpyPeerAsync);
SUCCEEDS(cuMemsetD8Async);
SUCCEEDS(cuMemAllocHost_v2);
SUCCEEDS(cuMemFreeHost);
SUCCEEDS(cuArrayCreate_v2);
SUCCEEDS(cuArrayDestroy);
SUCCEEDS(cuMemcpy2DAsync_v2);
SUCCEEDS(cuTexObjectCreate);
SUCCEEDS(cuTexObjectDestroy);
SUCCEEDS(cuModuleLoadData);
SUCCEEDS(cuModuleUnload);
SUCCEEDS(cuModuleGetFunction);
SUCCEEDS(cuModuleGetGlobal_v2);
SUCCEEDS(cuFuncGetAttribute);
SUCCEEDS(cuFuncSetAttribute);
SUCCEEDS(cuOccupancyMaxActiveBlocksPerMultiprocessor);
SUCCEEDS(cuOccupancyMaxActiveClusters);
SUCCEEDS(cuLaunchKernel);
#undef SUCCEEDS
}
