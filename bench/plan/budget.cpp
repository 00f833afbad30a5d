#include "bench/plan/budget.hpp"

#include <algorithm>

namespace gpuseq::bench {

double budget_s(const SuiteConfig& config, std::span<const DeviceInfo> devices) {
  const bool gpu =
      std::ranges::any_of(devices, [](const DeviceInfo& one) { return one.kind == DeviceKind::cuda; });
  return (gpu ? config.budget_with_gpu_s : config.budget_s).value_or(kNoBudget);
}

BudgetParts parts_of(double budget_s, const BudgetUse& use) {
  if (budget_s == kNoBudget) return {};
  // Shares of the time for records; `Late` where needed probes follow the search.
  constexpr double kProbes = 0.26, kFirst = 0.47, kKernels = 0.95, kLateProbes = 0.13, kLateKernels = 0.81;
  constexpr double kEnd = 0.05, kPageS = 4, kMostForPage = 0.1;
  const double left_s = budget_s - use.used_s;
  const double page_s = use.page && kPageS <= kMostForPage * budget_s ? kPageS : 0;
  const double all_s = std::max(0.0, left_s - std::max(kEnd * left_s, page_s));
  const double probes = use.needed_last ? kLateProbes : kProbes;
  return {.probes_s = (use.probes_alone ? 1 : probes) * all_s,
          .first_end_s = kFirst * all_s,
          .kernels_end_s = (use.needed_last ? kLateKernels : kKernels) * all_s,
          .end_s = all_s};
}

double page_end_s(double budget_s) {
  constexpr double kMost = 1.08;
  return kMost * budget_s;
}

bool needs_probes_last(const SuiteConfig& config) {
  return (config.budget_s || config.budget_with_gpu_s) && !config.tune.first.empty();
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
