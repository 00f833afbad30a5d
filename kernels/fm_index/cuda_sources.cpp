#include "kernels/fm_index/cuda_policy.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/embedded.hpp"

namespace gpuseq::fm_index {
namespace {

GPUSEQ_EMBEDDED(fm_index_host_device)
GPUSEQ_EMBEDDED(fm_index_layout)
GPUSEQ_EMBEDDED(fm_index_search)
GPUSEQ_EMBEDDED(fm_index_search_cooperative)
GPUSEQ_EMBEDDED(fm_index_search_device)
GPUSEQ_EMBEDDED(fm_index_search_memory)
GPUSEQ_EMBEDDED(fm_index_search_one_hot)
GPUSEQ_EMBEDDED(fm_index_search_policy)
GPUSEQ_EMBEDDED(fm_index_search_query)
GPUSEQ_EMBEDDED(fm_index_search_sampled)
GPUSEQ_EMBEDDED(fm_index_search_task)

std::map<std::string, std::string> device_headers() {
  std::map<std::string, std::string> headers{
      {"runtime/host_device.hpp", std::string(embedded_fm_index_host_device())}};
  const auto add = [&headers](const char* name, std::string_view text) {
    headers[std::string("kernels/fm_index/") + name + ".cuh"] = text;
  };
  add("layout", embedded_fm_index_layout());
  add("search", embedded_fm_index_search());
  add("search_cooperative", embedded_fm_index_search_cooperative());
  add("search_device", embedded_fm_index_search_device());
  add("search_memory", embedded_fm_index_search_memory());
  add("search_one_hot", embedded_fm_index_search_one_hot());
  add("search_policy", embedded_fm_index_search_policy());
  add("search_query", embedded_fm_index_search_query());
  add("search_sampled", embedded_fm_index_search_sampled());
  add("search_task", embedded_fm_index_search_task());
  return headers;
}

}  // namespace

KernelSource kernel_source(const Policy& policy) {
  return {.name = kernel_name(policy),
          .text = kernel_text({&policy, 1}),
          .headers = device_headers(),
          .options = {"--std=c++20"},
          .may_spill = false};
}

std::vector<KernelSource> cuda_sources(const Variant& variant, const Point& point) {
  const SearchPoint at = search_point(scheme_of(variant.name), variant.space.complete(point));
  if (at.ahead_of_time) return {};
  Policy wide = at.policy;
  wide.wide = true;
  return {kernel_source(at.policy), kernel_source(wide)};
}

}  // namespace gpuseq::fm_index
