#include "runtime/contract/bound.hpp"

#include <array>
#include <utility>

namespace gpuseq {
namespace {

constexpr std::array<std::pair<Bound, std::string_view>, 13> kWords{
    {{Bound::l1, "L1"},
     {Bound::l2, "L2"},
     {Bound::l3, "L3"},
     {Bound::dram, "DRAM"},
     {Bound::memory, "memory"},
     {Bound::alu, "ALU"},
     {Bound::fma, "FMA"},
     {Bound::tensor, "tensor"},
     {Bound::shared_memory, "shared memory"},
     {Bound::issue, "issue"},
     {Bound::latency, "latency"},
     {Bound::launch, "launch"},
     {Bound::host_transfer, "host transfer"}}};

}  // namespace

std::string_view word(Bound bound) {
  for (const auto& [one, text] : kWords)
    if (one == bound) return text;
  return "";
}

std::optional<Bound> parse_bound(std::string_view text) {
  for (const auto& [bound, own] : kWords)
    if (own == text) return bound;
  if (text == "random access") return Bound::memory;
  constexpr std::string_view kBefore = "instructions (", kBehind = ")", kPipe = " pipe";
  if (!text.starts_with(kBefore) || !text.ends_with(kBehind)) return std::nullopt;
  text = text.substr(kBefore.size(), text.size() - kBefore.size() - kBehind.size());
  if (text == "issue slots") return Bound::issue;
  if (!text.ends_with(kPipe)) return std::nullopt;
  return bound_of_pipe(text.substr(0, text.size() - kPipe.size()));
}

bool is_memory(Bound bound) {
  return bound <= Bound::memory;
}

bool is_execution(Bound bound) {
  return bound >= Bound::alu && bound <= Bound::issue;
}

Bound bound_of_pipe(std::string_view pipe) {
  if (pipe == "fma") return Bound::fma;
  if (pipe == "tensor") return Bound::tensor;
  if (pipe == "shared memory") return Bound::shared_memory;
  if (pipe == "load" || pipe == "store") return Bound::l1;  // the CPU's, which stay in its first cache
  return Bound::alu;
}

}  // namespace gpuseq
