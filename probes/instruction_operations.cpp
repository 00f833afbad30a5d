#include "probes/instruction_operations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "probes/cpu/instruction_kernels.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::probes {
namespace {

constexpr u32 kLanesOfAWarp = 32;

/// All operations of a kind of device; those of the CPU include its pairs, which have no pipe.
const std::vector<Operation>& operations(DeviceKind kind) {
  static const std::vector<Operation> cuda = [] {
    std::vector<Operation> all;
    for (const CudaOperation& row : cuda_operations()) all.push_back(row.operation);
    return all;
  }();
  static const std::vector<Operation> cpu = cpu_operations();
  return kind == DeviceKind::cuda ? cuda : cpu;
}

constexpr std::array kCudaPairs{"prmt+viaddmin_s16x2",
                                "viaddmin_s16x2+min_s16x2",
                                "add_s16x2+viaddmin_s16x2",
                                "add_s16x2+prmt",
                                "add_s16x2+imad",
                                "imad+viaddmin_s16x2",
                                "lop3+prmt",
                                "prmt+min_f16x2",
                                "add_f16x2+min_f16x2",
                                "add_f16x2+viaddmin_s16x2",
                                "min_f16x2+viaddmin_s16x2",
                                "fma_f32+imad",
                                "fma_f16x2+imad",
                                "load_shared_32+shuffle",
                                "load_shared_32+viaddmin_s16x2",
                                "load_shared_128+min_f16x2"};
const CudaOperation& cuda_operation(std::string_view name) {
  for (const CudaOperation& row : cuda_operations())
    if (row.operation.name == name) return row;
  throw UsageError(fmt::format("no operation \"{}\"", name));
}

}  // namespace

const Operation* find_operation(DeviceKind kind, std::string_view name) {
  const std::vector<Operation>& all = operations(kind);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Operation& o) { return o.name == name; });
  return found == all.end() || found->pipe.empty() ? nullptr : &*found;
}

std::vector<std::string> operations_that_fill_issue_slots(DeviceKind kind) {
  std::vector<std::string> names;
  for (const Operation& operation : operations(kind))
    if (operation.fills_issue_slots) names.push_back(operation.name);
  return names;
}

std::vector<std::string> operation_names(DeviceKind kind) {
  std::vector<std::string> names;
  for (const Operation& operation : operations(kind)) names.push_back(operation.name);
  if (kind == DeviceKind::cuda) names.insert(names.end(), kCudaPairs.begin(), kCudaPairs.end());
  return names;
}

std::pair<std::string, std::string> operations_of(std::string_view name) {
  const std::size_t plus = name.find('+');
  const std::string first(name.substr(0, plus));
  return {first, plus == name.npos ? first : std::string(name.substr(plus + 1))};
}

std::string pipes_of(DeviceKind kind, std::string_view name) {
  const auto [first, second] = operations_of(name);
  const Operation *a = find_operation(kind, first), *b = find_operation(kind, second);
  if (a == nullptr || b == nullptr) return "";
  return a->pipe == b->pipe ? a->pipe : a->pipe + ", " + b->pipe;
}

CudaLoop::CudaLoop(std::string_view name)
    : first(&cuda_operation(operations_of(name).first)),
      second(&cuda_operation(operations_of(name).second)),
      chains(std::min(first->chains, second->chains)),
      steps((first->of == CudaOperation::Of::four_warps ? 128
             : single_instructions()                    ? 256
                                                        : 32) /
            chains) {}

bool CudaLoop::takes(std::int64_t threads_per_block) const {
  return first->of != CudaOperation::Of::four_warps || threads_per_block == 128 || threads_per_block == 256;
}

std::vector<u32> CudaLoop::expected_results(u32 rounds) const {
  using Lanes = std::array<u32, kLanesOfAWarp>;
  const auto row = [&](u32 chain) { return chain % 2 == 0 ? first : second; };
  const u32 words = first->words, count = chains * words;
  std::vector<Lanes> x(count);
  for (u32 i = 0; i < count; ++i)
    for (u32 lane = 0; lane < kLanesOfAWarp; ++lane)
      x[i][lane] = first_operand(row(i / words)->operands, lane, i);
  for (u32 step = 0; step < rounds * steps; ++step)
    for (u32 i = 0; i < count; ++i) {
      const Lanes before = x[i], &next = x[(i + 2 * words) % count];
      const CudaOperation& operation = *row(i / words);
      for (u32 lane = 0; lane < kLanesOfAWarp; ++lane)
        x[i][lane] = operation.expected({.x = before[lane],
                                         .y = &next == &x[i] ? before[lane] : next[lane],
                                         .z = fixed_operand(operation.operands, lane),
                                         .partner = before[lane ^ 1]});
    }
  std::vector<u32> results(kLanesOfAWarp, 0);
  for (u32 lane = 0; lane < kLanesOfAWarp; ++lane)
    for (const Lanes& word : x) results[lane] = results[lane] * 33 + word[lane];
  return results;
}

}  // namespace gpuseq::probes
