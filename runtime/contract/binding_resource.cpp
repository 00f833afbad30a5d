#include "runtime/contract/binding_resource.hpp"

#include <array>
#include <utility>

namespace gpuseq {
namespace {

constexpr std::array<std::pair<BindingResource, std::string_view>, 13> kWords{
    {{BindingResource::l1, "L1"},
     {BindingResource::l2, "L2"},
     {BindingResource::l3, "L3"},
     {BindingResource::dram, "DRAM"},
     {BindingResource::memory, "memory"},
     {BindingResource::alu, "ALU"},
     {BindingResource::fma, "FMA"},
     {BindingResource::tensor, "tensor"},
     {BindingResource::shared_memory, "shared memory"},
     {BindingResource::issue, "issue"},
     {BindingResource::latency, "latency"},
     {BindingResource::launch, "launch"},
     {BindingResource::host_transfer, "host transfer"}}};

}  // namespace

std::string_view word(BindingResource bound) {
  for (const auto& [one, text] : kWords)
    if (one == bound) return text;
  return "";
}

std::optional<BindingResource> parse_bound(std::string_view text) {
  for (const auto& [bound, own] : kWords)
    if (own == text) return bound;
  if (text == "random access") return BindingResource::memory;
  constexpr std::string_view kBefore = "instructions (", kBehind = ")", kPipe = " pipe";
  if (!text.starts_with(kBefore) || !text.ends_with(kBehind)) return std::nullopt;
  text = text.substr(kBefore.size(), text.size() - kBefore.size() - kBehind.size());
  if (text == "issue slots") return BindingResource::issue;
  if (!text.ends_with(kPipe)) return std::nullopt;
  return bound_of_pipe(text.substr(0, text.size() - kPipe.size()));
}

bool is_memory(BindingResource bound) {
  return bound <= BindingResource::memory;
}

bool is_execution(BindingResource bound) {
  return bound >= BindingResource::alu && bound <= BindingResource::issue;
}

BindingResource bound_of_pipe(std::string_view pipe) {
  if (pipe == "fma") return BindingResource::fma;
  if (pipe == "tensor") return BindingResource::tensor;
  if (pipe == "shared memory") return BindingResource::shared_memory;
  if (pipe == "load" || pipe == "store")
    return BindingResource::l1;  // the CPU's loads, which stay in the first cache
  return BindingResource::alu;
}

}  // namespace gpuseq
