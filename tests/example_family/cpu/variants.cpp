#include "runtime/contract/axes.hpp"
#include "tests/example_family/problem.hpp"

namespace gpuseq::base_counts {
namespace {

/// Neighbouring bases count in tables of their own: an increment need not wait for the store before it.
class Tables final : public CountSession {
 public:
  Tables(CountProblem& problem, const Point& point)
      : CountSession(problem), tables_(static_cast<std::size_t>(point.integer("tables"))) {}

  void launch() override {
    std::ranges::fill(tables_, Counts{});
    const auto bases = problem_.bases();
    std::size_t at = 0;
    for (; at + tables_.size() <= bases.size(); at += tables_.size())
      for (std::size_t table = 0; table < tables_.size(); ++table) ++tables_[table][bases[at + table]];
    for (; at < bases.size(); ++at) ++tables_[0][bases[at]];
  }

  Counts counts() override {
    launch();
    Counts sum{};
    for (const Counts& table : tables_)
      for (std::size_t base = 0; base < 4; ++base) sum[base] += table[base];
    return sum;
  }

  std::optional<HeldMemory> memory() const override {
    return HeldMemory()
        .add("sequence", problem_.bases().size())
        .add(kOutputPart, tables_.size() * sizeof(Counts));
  }

 private:
  std::vector<Counts> tables_;
};

}  // namespace

std::vector<Variant> cpu_variants() {
  const auto prepare = [](CountProblem& problem, const Point& point, Device&) {
    return std::make_unique<Tables>(problem, point);
  };
  return {{.name = "tables",
           .summary = "a byte at a time, neighbours in tables of their own",
           .space = SearchSpace({listed_axis("tables", {1, 2, 4, 8}, 4, "tables that bases take turns in")}),
           .prepare = prepare_by<CountProblem>(prepare),
           .needs = no_needs("nobody counts what it touches")}};
}

}  // namespace gpuseq::base_counts
