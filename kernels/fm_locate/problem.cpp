#include "kernels/fm_locate/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_locate/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/host_memory.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_locate {
namespace {

/// The same text and queries as a problem of fm_index.
ProblemSpec without_own_axes(const ProblemSpec& spec, const Point& complete) {
  ProblemSpec result = spec;
  result.point = {};
  for (const auto& [axis, value] : complete.values())
    if (fm_index::problem_space().find(axis) != nullptr) result.point.set(axis, value);
  return result;
}

std::unique_ptr<fm_index::FmProblem> load_text(const ProblemSpec& spec, const Point& complete) {
  auto problem = fm_index::load_problem(without_own_axes(spec, complete));
  if (problem->bases() > kMostBases)
    throw ResourceError(
        fmt::format("positions have 32 bits: allowed are references of up to {} bases, this one has {}",
                    kMostBases, problem->bases()));
  return problem;
}

}  // namespace

LocateProblem::LocateProblem(const ProblemSpec& spec) : threads_(spec.threads) {
  const Point complete = problem_space().complete(spec.point);
  most_hits_ = static_cast<u64>(complete.integer("max_hits"));
  searched_ = load_text(spec, complete);
  suffixes_ = searched_->take_suffixes();
  const auto start = std::chrono::steady_clock::now();
  ThreadPool pool(threads_);
  occurrences_ = find_occurrences(searched_->rank(), queries(), most_hits_, pool);
  search_s_ = seconds_since(start);
}
LocateProblem::~LocateProblem() = default;

std::string LocateProblem::hash() const {
  Hash content;
  content.update(searched_->hash()).update(std::span<const u64>(&most_hits_, 1));
  for (const std::string& name : reference().names) content.update(name).update(std::string_view("\n", 1));
  for (const fm_index::Fragment& fragment : reference().fragments)
    content.update(
        std::span<const u64>(std::array{fragment.text_begin, fragment.record, fragment.record_begin}));
  return content.hex16();
}

std::string LocateProblem::label(const Point& problem) const {
  const std::string label = searched_->label(problem);
  if (most_hits_ == kUsualMaxHits) return label;
  return most_hits_ == 0 ? label + ", all hits" : fmt::format("{}, up to {} hits", label, most_hits_);
}

nlohmann::json LocateProblem::describe() const {
  nlohmann::json description = searched_->describe();
  u64 occurrences = 0;
  for (const u32 rows : occurrences_.rows) occurrences += rows;
  description["queries_occurring"] = occurrences_.query.size();
  description["occurrences"] = occurrences;
  description["positions"] = occurrences_.total();
  description["fragments"] = reference().fragments.size();
  description["search_s"] = search_s_;
  return description;
}

std::map<std::string, std::filesystem::path> LocateProblem::write_files(
    const std::filesystem::path& folder) const {
  return searched_->write_files(folder);
}
Verification LocateProblem::check(const Answers& answers) const {
  return searched_->check(answers);
}

std::shared_ptr<const Index> LocateProblem::index(const Layout& layout) {
  if (last_index_ && last_index_->layout == layout) return last_index_;
  last_index_.reset();  // its memory is needed for the next
  ThreadPool pool(threads_);
  last_index_ = std::make_shared<const Index>(
      build_index(layout, searched_->bwt(), searched_->rank(), suffixes_, pool));
  return last_index_;
}

const LocateProblem::Expected& LocateProblem::expected() {
  if (expected_) return *expected_;
  ThreadPool pool(threads_);
  Expected made{.queries = fm_index::checked_queries(queries().begin.size()), .intervals = {}};
  made.intervals = fm_index::search_suffixes(reference().text, suffixes_, queries(), made.queries, pool);
  return expected_.emplace(std::move(made));
}

Verification LocateProblem::compare(std::span<const u32> positions) {
  if (positions.size() != occurrences_.total())
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} positions in place of {}", positions.size(), occurrences_.total())};
  const Expected& right = expected();
  for (std::size_t i = 0; i < right.queries.size(); ++i) {
    const u32 query = right.queries[i];
    const auto entry = std::ranges::lower_bound(occurrences_.query, query);
    std::span<const u32> found;
    if (entry != occurrences_.query.end() && *entry == query)
      found = occurrences_.of(static_cast<std::size_t>(entry - occurrences_.query.begin()), positions);
    const std::string letters = queries().letters(query);
    const std::string reason =
        why_wrong(reference().text, suffixes_, right.intervals[i], most_hits_, letters, found);
    if (reason.empty()) continue;
    constexpr std::size_t kShown = 120;
    return {.passed = false,
            .checked = i + 1,
            .reason = fmt::format("query {} ({}{}): {}", queries().name(query), letters.substr(0, kShown),
                                  letters.size() > kShown ? "..." : "", reason)};
  }
  return {.passed = true, .checked = right.queries.size(), .reason = ""};
}

}  // namespace gpuseq::fm_locate
