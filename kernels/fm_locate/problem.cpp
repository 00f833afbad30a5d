#include "kernels/fm_locate/problem.hpp"

#include <fmt/format.h>

#include <chrono>
#include <numeric>

#include "kernels/fm_index/data/rank.hpp"
#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_locate/oracle.hpp"
#include "kernels/fm_locate/text_problem.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::fm_locate {

LocateProblem::LocateProblem(const ProblemSpec& spec) : threads_(spec.threads) {
  const Point complete = problem_space().complete(spec.point);
  most_hits_ = static_cast<u64>(complete.integer("max_hits"));
  strands_ = strands_of(complete);
  why_no_bound_ = fm_locate::why_no_bound(complete);
  searched_ = load_text(spec, complete);
  suffixes_ = searched_->take_suffixes();
  const auto start = std::chrono::steady_clock::now();
  ThreadPool pool(threads_);
  occurrences_ = find_occurrences(searched_->rank(), queries(), strands_, most_hits_, pool);
  search_s_ = seconds_since(start);
}
LocateProblem::~LocateProblem() = default;

std::string LocateProblem::hash() const {
  Hash content;
  content.update(searched_->hash()).update(std::span<const u64>(&most_hits_, 1));
  content.update(strands_ == Strands::both ? "both" : "forward");
  add_records(content, reference());
  return content.hex16();
}

std::string LocateProblem::label(const Point& problem) const {
  std::string label = searched_->label(problem);
  if (strands_ == Strands::both) label += ", both strands";
  if (most_hits_ == kUsualMaxHits) return label;
  return most_hits_ == 0 ? label + ", all hits" : fmt::format("{}, up to {} hits", label, most_hits_);
}

nlohmann::json LocateProblem::describe() const {
  nlohmann::json description = searched_->describe();
  u64 occurrences = 0;
  for (const u32 rows : occurrences_.rows) occurrences += rows;
  description["strands_occurring"] = occurrences_.query.size();
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
  if (strands_ == Strands::both)
    return {.passed = true, .checked = 0, .reason = "answers are compared for one strand only"};
  return searched_->check(answers);
}

std::shared_ptr<const Index> LocateProblem::index(const Layout& layout) {
  if (last_index_ && last_index_->layout == layout) return last_index_;
  last_index_.reset();  // frees its memory for the next
  ThreadPool pool(threads_);
  last_index_ = std::make_shared<const Index>(
      build_index(layout, searched_->bwt(), searched_->rank(), suffixes_, pool));
  return last_index_;
}

const LocateProblem::Expected& LocateProblem::expected() {
  if (expected_) return *expected_;
  ThreadPool pool(threads_);
  Expected made{.queries = fm_index::checked_queries(queries().begin.size()), .forward = {}, .reverse = {}};
  made.forward = fm_index::search_suffixes(reference().text, suffixes_, queries(), made.queries, pool);
  if (strands_ == Strands::both) {
    fm_index::Queries complements;
    for (const u32 query : made.queries) complements.add(reverse_complement(queries().letters(query)));
    std::vector<u32> all(made.queries.size());
    std::iota(all.begin(), all.end(), 0u);
    made.reverse = fm_index::search_suffixes(reference().text, suffixes_, complements, all, pool);
  }
  return expected_.emplace(std::move(made));
}

std::string LocateProblem::why_wrong_on(Strand strand, u32 query, const fm_index::Interval<u64>& interval,
                                        std::span<const u32> positions) const {
  std::span<const u32> found;
  const auto [first, last] = entries_of(occurrences_, query);
  for (std::size_t entry = first; entry < last; ++entry)
    if (occurrences_.strand[entry] == strand) found = occurrences_.of(entry, positions);
  const std::string given = queries().letters(query);
  const std::string letters = strand == Strand::forward ? given : reverse_complement(given);
  const std::string reason = why_wrong(reference().text, suffixes_, interval, most_hits_, letters, found);
  if (reason.empty()) return "";
  constexpr std::size_t kShown = 120;
  return fmt::format("query {}, strand {} ({}{}): {}", queries().name(query),
                     strand == Strand::forward ? '+' : '-', letters.substr(0, kShown),
                     letters.size() > kShown ? "..." : "", reason);
}

Verification LocateProblem::compare(std::span<const u32> positions) {
  if (positions.size() != occurrences_.total())
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} positions instead of {}", positions.size(), occurrences_.total())};
  const Expected& right = expected();
  for (std::size_t i = 0; i < right.queries.size(); ++i) {
    std::string reason = why_wrong_on(Strand::forward, right.queries[i], right.forward[i], positions);
    if (reason.empty() && strands_ == Strands::both)
      reason = why_wrong_on(Strand::reverse, right.queries[i], right.reverse[i], positions);
    if (!reason.empty()) return {.passed = false, .checked = i + 1, .reason = reason};
  }
  return {.passed = true, .checked = right.queries.size(), .reason = ""};
}

}  // namespace gpuseq::fm_locate
