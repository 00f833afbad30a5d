// Built instead of the cupti*.cpp if the toolkit has no Range Profiler (before CUDA 12.6).
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/cupti/cupti.hpp"

namespace gpuseq::cuda {
namespace {

constexpr const char* kReason = "built without CUPTI's Range Profiler (it needs CUDA 12.6 or newer)";

}  // namespace

struct Counters::Session {};
Counters::Counters(CUcontext context, int ordinal) : context_(context), ordinal_(ordinal) {}
Counters::~Counters() = default;
Counters::Session& Counters::session() {
  throw CudaError(kReason);
}

Maybe<std::map<std::string, double>> Counters::count(const std::vector<std::string>&,
                                                     const std::function<void()>&,
                                                     const std::function<void()>&) {
  return {std::nullopt, kReason};
}

std::vector<std::string> Counters::available(const std::vector<std::string>&) {
  return {};
}
std::vector<std::string> known_chips() {
  throw CudaError(kReason);
}
std::string why_metric_invalid(const std::string&, const std::string&) {
  throw CudaError(kReason);
}
std::size_t counting_passes(const std::string&, const std::vector<std::string>&) {
  throw CudaError(kReason);
}

}  // namespace gpuseq::cuda
