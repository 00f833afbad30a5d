#include <fmt/format.h>

#include "kernels/fm_index/data/layout_members.hpp"
#include "kernels/fm_index/problem.hpp"

namespace gpuseq::fm_index {
namespace {

/// A query's letters for a message, cut where it is long.
std::string shown(const std::string& letters) {
  constexpr std::size_t kShown = 120;
  if (letters.size() <= kShown) return letters;
  return fmt::format("{}... ({} bases)", letters.substr(0, kShown), letters.size());
}

}  // namespace

SearchSession::SearchSession(FmProblem& problem, std::shared_ptr<const Index> index, RowsRead rows_read)
    : problem_(problem), index_(std::move(index)), rows_read_(rows_read) {}

Work SearchSession::work() const {
  return {.amount = static_cast<double>(problem_.queries().total_bases), .unit = kQueryBases};
}

Verification SearchSession::verify() {
  const Queries& queries = problem_.queries();
  const auto checked = problem_.checked();
  const auto expected = problem_.expected();
  const std::vector<Interval<u64>> found = answers();
  if (found.size() != queries.begin.size())
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} answers to {} queries", found.size(), queries.begin.size())};
  for (std::size_t i = 0; i < checked.size(); ++i) {
    const Interval<u64>& answer = found[checked[i]];
    if (answer.l == expected[i].l && answer.h == expected[i].h) continue;
    return {.passed = false,
            .checked = i + 1,
            .reason = fmt::format("query {} ({}): expected ({}, {}), found ({}, {})",
                                  queries.name(checked[i]), shown(queries.letters(checked[i])), expected[i].l,
                                  expected[i].h, answer.l, answer.h)};
  }
  return {.passed = true, .checked = checked.size(), .reason = ""};
}

const Traffic& SearchSession::touched() const {
  if (!touched_) touched_ = problem_.count_traffic(*index_, rows_read_);
  return *touched_;
}

Cost SearchSession::cost() const {
  Cost cost{.work = work(),
            .held = held(),
            .traffic = std::nullopt,
            .instructions = std::nullopt,
            .why_no_bound = why_no_bound()};
  if (cost.why_no_bound.empty()) cost.traffic = traffic();
  return cost;
}

std::map<std::string, std::vector<double>> SearchSession::side_samples_s() {
  if (!problem_.ordered()) return {};
  return {{"sort", {problem_.order_s()}}};
}

nlohmann::json SearchSession::facts() const {
  const Layout& layout = index_->layout;
  const double bases = static_cast<double>(problem_.queries().total_bases);
  return {{"k", layout.k},
          {"d", layout.d},
          {"layout", kLayoutKinds[layout.kind]},
          {"wide", layout.wide},
          {"entry_bytes", layout.entry_bytes()},
          {"index_bytes", index_->bytes()},
          {"bits_per_base", index_->bits_per_base()},
          {"prefix_symbols", index_->view.prefix_symbols},
          {"prefix_bytes", index_->prefix.size()},
          {"index_build_s", index_->build_s},
          {"columns_s", index_->columns_s},
          {"blocks_per_base", bases == 0 ? 0 : touched().blocks / bases}};
}

std::vector<std::string> SearchSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::fm_index
