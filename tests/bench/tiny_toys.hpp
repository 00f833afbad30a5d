#pragma once

#include "tests/bench/toy_registry.hpp"

// A family of as many states as a test wants, each measured in no time.

namespace gpuseq::bench::testing {

class TinyFamily : public Family {
 public:
  TinyFamily() {
    std::vector<Axis> axes;
    for (const char* name : {"i", "j"}) {
      axes.push_back(number_axis(name, {std::int64_t{0}}, "no influence"));
      axes.back().accepts = [](const AxisValue& v) { return std::holds_alternative<std::int64_t>(v); };
      axes.back().allowed = "numbers";
    }
    variants_ = {{.name = "quick",
                  .summary = "a toy",
                  .space = SearchSpace(axes),
                  .prepare = [](Problem&, const Point&, Device&) {
                    return std::make_unique<ToySession>("quick", Work{1000, "toys"}, 0, std::nullopt);
                  }}};
  }
  std::string_view name() const override { return "tiny"; }
  std::string_view summary() const override { return "Toys that take no time"; }
  const SearchSpace& problem_space() const override { return problems_; }
  const std::vector<Variant>& variants() const override { return variants_; }
  std::unique_ptr<Problem> load(const ProblemSpec&) const override { return std::make_unique<ToyProblem>(); }

 private:
  SearchSpace problems_;
  std::vector<Variant> variants_;
};

inline Registry tiny_registry() {
  Registry registry = toy_registry();
  registry.families.push_back(std::make_shared<TinyFamily>());
  return registry;
}

/// A config of i x j states, each of a launch or two.
inline std::string tiny_config(int i, int j) {
  const auto numbers = [](int count) {
    std::string list;
    for (int n = 0; n < count; ++n) list += (n == 0 ? "" : ", ") + std::to_string(n);
    return "[" + list + "]";
  };
  return R"({"name": "tiny", "devices": "cpu", "tune": {"remeasure": 0}, "timeout_s": 60,
    "sampling": {"min_samples": 1, "max_samples": 1, "max_seconds": 0.2, "warmup": 0, "probe_passes": 1},
    "families": {"tiny": {"problems": [{}], "variants": {"quick": {"i": )" +
         numbers(i) + R"(, "j": )" + numbers(j) + "}}}}}";
}

}  // namespace gpuseq::bench::testing
