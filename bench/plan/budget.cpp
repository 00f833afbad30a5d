#include "bench/plan/budget.hpp"

#include <algorithm>

namespace gpuseq::bench {

double budget_s(const SuiteConfig& config, std::span<const DeviceInfo> devices) {
  const bool gpu =
      std::ranges::any_of(devices, [](const DeviceInfo& one) { return one.kind == DeviceKind::cuda; });
  return (gpu ? config.budget_with_gpu_s : config.budget_s).value_or(kNoBudget);
}

BudgetParts parts_of(double budget_s, bool probes_alone) {
  if (budget_s == kNoBudget) return {};
  constexpr double kProbes = 0.25, kKernels = 0.9, kAll = 0.95;
  return {.probes_s = (probes_alone ? kAll : kProbes) * budget_s,
          .kernels_end_s = kKernels * budget_s,
          .end_s = kAll * budget_s};
}

void Spending::add(const std::string& part, double took_s) {
  if (std::ranges::find(before_, part, &std::pair<std::string, double>::first) == before_.end())
    before_.emplace_back(part, spent_s_);
  spent_s_ += took_s;
  parts_[part] += took_s;
}

double Spending::spent_on(const std::string& part) const {
  const auto found = parts_.find(part);
  return found == parts_.end() ? 0 : found->second;
}

double Spending::spent_before(const std::string& part) const {
  const auto found = std::ranges::find(before_, part, &std::pair<std::string, double>::first);
  return found == before_.end() ? spent_s_ : found->second;
}

double share_end_s(double spent_before_s, double all_end_s, std::size_t parts_left) {
  return spent_before_s + std::max(0.0, all_end_s - spent_before_s) /
                              static_cast<double>(std::max<std::size_t>(parts_left, 1));
}

}  // namespace gpuseq::bench
