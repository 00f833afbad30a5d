#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/contract/counters.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/device_state.hpp"
#include "runtime/cuda/driver_api.hpp"

namespace gpuseq::cuda {
namespace {

/// Reserved for the driver, for local memory of kernels and for the profiler.
std::size_t margin_bytes(std::size_t total) {
  return std::max<std::size_t>(512u << 20, total / 50);
}

/// Flushing writes and reads this multiple of the last-level cache.
constexpr std::size_t kFlushCaches = 4;

}  // namespace

Maybe<int> device_count() {
  try {
    const CUresult status = driver().init(0);
    if (status == CUDA_ERROR_NO_DEVICE) return {std::nullopt, "no CUDA device"};
    check(status, "cuInit");
    int count = 0;
    check(driver().device_get_count(&count), "cuDeviceGetCount");
    if (count == 0) return {std::nullopt, "no CUDA device"};
    return {count, {}};
  } catch (const CudaError& error) {
    return {std::nullopt, error.what()};
  }
}

std::string pci_bus_id(CUdevice device) {
  std::array<char, 32> text{};
  check(driver().device_get_pci_bus_id(text.data(), static_cast<int>(text.size()), device),
        "cuDeviceGetPCIBusId");
  return text.data();
}

CudaDevice::CudaDevice(int ordinal) : ordinal_(ordinal) {
  const Maybe<int> count = device_count();
  if (!count.value) throw UsageError(fmt::format("cuda:{}: {}", ordinal, count.reason));
  if (ordinal < 0 || ordinal >= *count.value)
    throw UsageError(fmt::format("cuda:{}: there are {} CUDA devices, cuda:0 to cuda:{}", ordinal,
                                 *count.value, *count.value - 1));
  check(driver().device_get(&device_, ordinal), "cuDeviceGet");
  check(driver().primary_ctx_retain(&context_, device_), "cuDevicePrimaryCtxRetain of " + id());
  try {
    make_current();
    state_ = std::make_unique<State>(pci_bus_id(device_), context_, ordinal);
    state_->flush_bytes = kFlushCaches * l2_bytes();
    // Not ordered with the legacy default stream, which this program does not use.
    check(driver().stream_create(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    check(driver().event_create(&state_->start, CU_EVENT_DEFAULT), "cuEventCreate");
    check(driver().event_create(&state_->stop, CU_EVENT_DEFAULT), "cuEventCreate");
  } catch (...) {
    release();
    throw;
  }
}

CudaDevice::~CudaDevice() {
  release();
}

/// Errors are ignored: after an asynchronous error every call fails, and the process is about to end.
void CudaDevice::release() noexcept {
  const DriverApi& api = driver();
  if (api.ctx_set_current(context_) == CUDA_SUCCESS && state_ != nullptr) {
    state_->wait.reset();
    if (state_->flush_buffer != 0) api.mem_free(state_->flush_buffer);
    if (state_->stop != nullptr) api.event_destroy(state_->stop);
    if (state_->start != nullptr) api.event_destroy(state_->start);
    if (stream_ != nullptr) api.stream_destroy(stream_);
  }
  state_.reset();
  api.primary_ctx_release(device_);
}

std::string CudaDevice::id() const {
  return fmt::format("cuda:{}", ordinal_);
}

void CudaDevice::make_current() const {
  check(driver().ctx_set_current(context_), "cuCtxSetCurrent of " + id());
}

int CudaDevice::attribute(CUdevice_attribute which) const {
  int value = 0;
  check(driver().device_get_attribute(&value, which, device_), "cuDeviceGetAttribute");
  return value;
}

int CudaDevice::multiprocessors() const {
  return attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
}

std::size_t CudaDevice::l2_bytes() const {
  return static_cast<std::size_t>(attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
}

std::size_t CudaDevice::total_bytes() const {
  std::size_t bytes = 0;
  check(driver().device_total_mem(&bytes, device_), "cuDeviceTotalMem");
  return bytes;
}

std::string CudaDevice::architecture() const {
  return fmt::format("sm_{}{}", attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
                     attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
}

std::size_t CudaDevice::free_bytes() const {
  make_current();
  std::size_t free = 0, total = 0;
  check(driver().mem_get_info(&free, &total), "cuMemGetInfo");
  if (const std::size_t most = state_->most_bytes; most < total) {
    const std::size_t taken = total - free;
    free = most > taken ? most - taken : 0;
    total = most;
  }
  const std::size_t kept = margin_bytes(total) + (state_->flush_buffer == 0 ? state_->flush_bytes : 0);
  return free > kept ? free - kept : 0;
}

void CudaDevice::limit_memory(std::size_t bytes) {
  state_->most_bytes = bytes;
}

double CudaDevice::time_s(const std::function<void()>& work) {
  make_current();
  check(driver().event_record(state_->start, stream_), "cuEventRecord before timed work");
  work();
  make_current();  // `work` may have used another device
  check(driver().event_record(state_->stop, stream_), "cuEventRecord after timed work");
  check(driver().event_synchronize(state_->stop), "timed work");
  float elapsed_ms = 0;
  check(driver().event_elapsed_time(&elapsed_ms, state_->start, state_->stop), "cuEventElapsedTime");
  return static_cast<double>(elapsed_ms) * 1e-3;
}

void CudaDevice::keep_busy(double seconds) {
  make_current();
  if (!state_->wait)
    state_->wait = load({.name = "wait_ns",
                         .text = "extern \"C\" __global__ void wait_ns(unsigned long long ns) {\n"
                                 "  unsigned long long start, now;\n"
                                 "  asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(start));\n"
                                 "  do asm volatile(\"mov.u64 %0, %globaltimer;\" : \"=l\"(now));\n"
                                 "  while (now - start < ns);\n"
                                 "}\n",
                         .headers = {},
                         .options = {}},
                        {});
  auto ns = static_cast<unsigned long long>(seconds * 1e9);
  void* const arguments[] = {&ns};
  state_->wait->launch(1, 1, 0, arguments);
}

void CudaDevice::flush_caches() {
  make_current();
  const std::size_t bytes = state_->flush_bytes;
  if (bytes == 0) return;  // a device without an L2
  // Allocated from the margin of free_bytes().
  if (state_->flush_buffer == 0)
    check(driver().mem_alloc(&state_->flush_buffer, bytes), "cuMemAlloc of the cache flushing buffer");
  const CUdeviceptr half = state_->flush_buffer + bytes / 2;
  check(driver().memset_d8_async(state_->flush_buffer, 0, bytes, stream_), "cuMemsetD8Async");
  check(driver().memcpy_device_to_device_async(half, state_->flush_buffer, bytes / 2, stream_),
        "cuMemcpyDtoDAsync");
  synchronize();
}

void CudaDevice::synchronize() {
  make_current();
  check(driver().stream_synchronize(stream_), "cuStreamSynchronize of " + id());
}

Maybe<double> CudaDevice::clock_mhz() {
  return state_->nvml.clock_mhz(NvmlDevice::Clock::sm);
}
Maybe<double> CudaDevice::max_clock_mhz() {
  return state_->nvml.max_clock_mhz(NvmlDevice::Clock::sm);
}
Maybe<double> CudaDevice::energy_j() {
  return state_->nvml.energy_j();
}
Maybe<double> CudaDevice::power_w() {
  return state_->nvml.power_w();
}

Maybe<std::map<std::string, double>> CudaDevice::count(const std::vector<std::string>& metrics,
                                                       const std::function<void()>& work) {
  make_current();
  synchronize();
  return state_->counters.count(metrics, work, [this] { synchronize(); });
}

std::vector<std::string> CudaDevice::default_metrics() const {
  make_current();
  std::vector<std::string> metrics{
      "sm__inst_executed.sum",          "sm__warps_active.avg.pct_of_peak_sustained_active",
      "dram__bytes_read.sum",           "lts__t_sectors.sum",
      "lts__t_sectors_lookup_miss.sum", "smsp__inst_executed_op_local_ld.sum"};
  for (const std::string_view metric :
       {kIssueActive, kL1HitRate, kL2HitRate, kSectorsPerLoad, kBankConflicts, kSharedWavefronts})
    metrics.emplace_back(metric);
  for (const WarpState& state : kWarpStates) metrics.push_back(warp_state_metric(state.counter));
  return state_->counters.available(metrics);
}

std::shared_ptr<Kernel> CudaDevice::load(const KernelSource& source, const std::filesystem::path& cache_dir) {
  const int own = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                  attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  if (own < source.least_architecture)
    throw ResourceError(fmt::format("unsupported: {} needs sm_{}, {} is sm_{}", source.name,
                                    source.least_architecture, id(), own));
  if (!source.own_architecture.empty() && source.own_architecture != architecture() + "a")
    throw ResourceError(fmt::format("unsupported: {} needs {}, {} is {}", source.name,
                                    source.own_architecture, id(), architecture()));
  const Compiled compiled = compile(source, architecture(), cache_dir);
  auto kernel = std::make_shared<Kernel>(*this, compiled.cubin, source.name);
  kernel->set_compiled(compiled.resources);
  return kernel;
}

CudaDevice& cuda_device(Device& device) {
  auto* on = dynamic_cast<CudaDevice*>(&device);
  if (on == nullptr)
    throw ResourceError(fmt::format("the variant runs on a CUDA device, not on {}", device.id()));
  return *on;
}

}  // namespace gpuseq::cuda
