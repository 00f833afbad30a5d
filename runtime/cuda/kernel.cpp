#include <fmt/core.h>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {
namespace {

int attribute_of(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  check(driver().func_get_attribute(&value, which, function), "cuFuncGetAttribute");
  return value;
}

/// The driver treats any other image as PTX text, and reads up to a final NUL, which a view need not have.
bool is_device_code(std::string_view image) {
  return image.starts_with("\177ELF") || image.starts_with("\x50\xed\x55\xba");  // cubin, fatbin
}

}  // namespace

Kernel::Kernel(CudaDevice& device, std::string_view image, const std::string& entry) : device_(&device) {
  if (!is_device_code(image)) throw CudaError("the image of " + entry + " is neither a cubin nor a fatbin");
  device.make_current();
  check(driver().module_load_data(&module_, image.data()),
        fmt::format("cuModuleLoadData of {} on {} ({})", entry, device.id(), device.architecture()));
  const CUresult status = driver().module_get_function(&function_, module_, entry.c_str());
  if (status != CUDA_SUCCESS) driver().module_unload(module_);
  check(status, "cuModuleGetFunction of " + entry);
  // An image from compile() sets this later; others were compiled ahead of time.
  compiled_.compiled_by = "nvcc";
}

Kernel::~Kernel() {
  try {
    device_->make_current();
    driver().module_unload(module_);
  } catch (const std::exception&) {
    // The context is lost, and the module with it.
  }
}

void Kernel::launch(unsigned blocks, unsigned threads_per_block, unsigned shared_bytes,
                    std::span<void* const> arguments, CUstream stream) {
  device_->make_current();
  const CUresult status = driver().launch_kernel(function_, blocks, 1, 1, threads_per_block, 1, 1,
                                                 shared_bytes, stream == nullptr ? device_->stream() : stream,
                                                 const_cast<void**>(arguments.data()), nullptr);
  if (status != CUDA_SUCCESS)
    check(status, fmt::format("cuLaunchKernel of {} blocks x {} threads, {} bytes of dynamic shared memory",
                              blocks, threads_per_block, shared_bytes));
}

void Kernel::allow_shared_bytes(unsigned bytes) {
  device_->make_current();
  const int limit = device_->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) -
                    attribute_of(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  if (bytes > static_cast<unsigned>(limit))
    throw DoesNotFit(
        fmt::format("{} bytes of dynamic shared memory per block do not fit on {}: {} are allowed", bytes,
                    device_->id(), limit));
  check(driver().func_set_attribute(function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                    static_cast<int>(bytes)),
        "cuFuncSetAttribute of the dynamic shared memory limit");
}

void Kernel::set_variable(const std::string& name, std::span<const std::byte> value) {
  device_->make_current();
  CUdeviceptr address = 0;
  std::size_t size = 0;
  check(driver().module_get_global(&address, &size, module_, name.c_str()), "cuModuleGetGlobal of " + name);
  check_range(0, value.size(), size);
  check(driver().memcpy_host_to_device_async(address, value.data(), value.size(), device_->stream()),
        "cuMemcpyHtoDAsync to " + name);
  check(driver().stream_synchronize(device_->stream()), "cuStreamSynchronize after writing " + name);
}

int Kernel::resident_clusters(unsigned blocks_per_cluster, unsigned threads_per_block) {
  device_->make_current();
  check(driver().func_set_attribute(function_, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
        "cuFuncSetAttribute of the size of clusters");
  CUlaunchConfig shape{};
  shape.gridDimX = blocks_per_cluster;
  shape.gridDimY = shape.gridDimZ = 1;
  shape.blockDimX = threads_per_block;
  shape.blockDimY = shape.blockDimZ = 1;
  int clusters = 0;
  const CUresult status = driver().occupancy_max_active_clusters(&clusters, function_, &shape);
  if (status != CUDA_ERROR_INVALID_CLUSTER_SIZE) check(status, "cuOccupancyMaxActiveClusters");
  if (clusters == 0)
    throw ResourceError(fmt::format("{} has no room for a cluster of {} blocks of {} threads", device_->id(),
                                    blocks_per_cluster, threads_per_block));
  return clusters;
}

int Kernel::resident_blocks(unsigned threads_per_block, unsigned shared_bytes) const {
  device_->make_current();
  int blocks = 0;
  check(driver().occupancy_max_active_blocks(&blocks, function_, static_cast<int>(threads_per_block),
                                             shared_bytes),
        "cuOccupancyMaxActiveBlocksPerMultiprocessor");
  return blocks;
}

Resources Kernel::resources(unsigned blocks, unsigned threads_per_block, unsigned shared_bytes) const {
  Resources result = compiled_;
  const int resident = resident_blocks(threads_per_block, shared_bytes);
  result.registers_per_thread = attribute_of(function_, CU_FUNC_ATTRIBUTE_NUM_REGS);
  result.local_bytes = attribute_of(function_, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  result.shared_bytes =
      attribute_of(function_, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) + static_cast<int>(shared_bytes);
  result.threads_per_block = static_cast<int>(threads_per_block);
  result.blocks = blocks;
  const int warp = device_->attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  const int warps_per_block = (static_cast<int>(threads_per_block) + warp - 1) / warp;
  const int warps_limit = device_->attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / warp;
  result.occupancy = static_cast<double>(resident * warps_per_block) / warps_limit;
  return result;
}

}  // namespace gpuseq::cuda
