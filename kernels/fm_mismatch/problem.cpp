#include "kernels/fm_mismatch/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/fm_index/oracle.hpp"
#include "kernels/fm_index/other_programs.hpp"
#include "kernels/fm_locate/oracle.hpp"
#include "kernels/fm_locate/text_problem.hpp"
#include "runtime/contract/unsupported.hpp"

namespace gpuseq::fm_mismatch {
namespace {

std::string text_of(const ByMismatches& counts, u32 mismatches) {
  return fmt::format("{}", fmt::join(counts.begin(), counts.begin() + mismatches + 1, " + "));
}

}  // namespace

MismatchProblem::MismatchProblem(const ProblemSpec& spec) : threads_(spec.threads) {
  const Point complete = problem_space().complete(spec.point);
  mismatches_ = mismatches_of(complete);
  strands_ = strands_of(complete);
  why_no_bound_ = fm_locate::why_no_bound(complete);
  searched_ = fm_locate::load_text(spec, complete);
  if (queries().longest > kMostQueryBases)
    throw Unsupported(fmt::format("allowed are queries of up to {} bases, the longest has {}",
                                  kMostQueryBases, queries().longest));
  suffixes_ = searched_->take_suffixes();
}
MismatchProblem::~MismatchProblem() = default;

std::string MismatchProblem::hash() const {
  Hash content;
  content.update(searched_->hash()).update(fmt::format("{} mismatches, {} strands", mismatches_, strands_));
  fm_locate::add_records(content, reference());
  return content.hex16();
}

std::string MismatchProblem::label(const Point& problem) const {
  return fmt::format("{}, up to {} mismatch{}{}", searched_->label(problem), mismatches_,
                     mismatches_ == 1 ? "" : "es", strands_ == 2 ? ", both strands" : "");
}

nlohmann::json MismatchProblem::describe() const {
  nlohmann::json description = searched_->describe();
  description["fragments"] = reference().fragments.size();
  return description;
}

std::map<std::string, std::filesystem::path> MismatchProblem::write_files(
    const std::filesystem::path& folder) const {
  return searched_->write_files(folder);
}
Verification MismatchProblem::check(const Answers& answers) const {
  if (std::string reason = fm_index::why_foreign(queries(), answers); !reason.empty())
    return {.passed = false, .checked = 0, .reason = std::move(reason)};
  u64 compared = 0;
  for (std::size_t i = 0; i < expected().size(); i += strands_) {
    const auto query = static_cast<u32>(expected()[i].first / strands_);
    if (queries().bases[query] == 0) continue;
    u64 occurrences = 0;
    for (const auto& [place, counts] : std::span(expected()).subspan(i, strands_))
      occurrences = std::accumulate(counts.begin(), counts.end(), occurrences);
    const std::string number = fm_index::number_of(queries(), query);
    const auto found = answers.find(number);
    const double count = found == answers.end() ? 0 : found->second;
    ++compared;
    if (count != static_cast<double>(occurrences))
      return {.passed = false,
              .checked = compared,
              .reason = fmt::format("query {} ({}): expected {} occurrences with up to {} mismatches on {}, "
                                    "found {}",
                                    number, queries().name(query), occurrences, mismatches_,
                                    strands_ == 2 ? "both strands" : "the forward strand", count)};
  }
  return {.passed = true, .checked = compared, .reason = ""};
}

std::vector<std::string> MismatchProblem::notes() const {
  std::vector<std::string> notes = searched_->notes();
  if (index_ && !index_->note.empty()) notes.push_back(index_->note);
  return notes;
}

QueriesView MismatchProblem::queries_view() const {
  return {queries().packed.data(), queries().begin.data(), queries().bases.data()};
}

u32 MismatchProblem::position(u32 row) const {
  return std::visit([&](const auto& sorted) { return static_cast<u32>(sorted[row - 1]); }, suffixes_);
}

const Index& MismatchProblem::index() {
  if (index_) return *index_;
  ThreadPool pool(threads_);
  return index_.emplace(
      build_index(reference().text, searched_->bwt(), searched_->rank(), cache_dir(), pool));
}

std::shared_ptr<const PrefixTable> MismatchProblem::prefix_table(u32 symbols) {
  if (table_ && table_->symbols == symbols) return table_;
  const Index& of_text = index();
  ThreadPool pool(threads_);
  table_.reset();  // frees its memory if no session uses it
  table_ = std::make_shared<const PrefixTable>(build_prefix_table(of_text.view, symbols, pool));
  return table_;
}

const MismatchProblem::Expected& MismatchProblem::expected() const {
  if (!expected_.empty()) return expected_;
  const u64 most = std::max<u64>(1, kMostTried / reference().text.size() / strands_);
  for (const u32 query : fm_index::checked_queries(queries().begin.size(), most))
    for (u32 strand = 0; strand < strands_; ++strand)
      expected_.push_back({u64{query} * strands_ + strand, {}});
  ThreadPool pool(threads_);
  pool.parallel_for(expected_.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      auto& [place, counts] = expected_[i];
      const std::string letters = queries().letters(static_cast<u32>(place / strands_));
      counts = count_by_trying(reference().text,
                               place % strands_ == 0 ? letters : fm_locate::reverse_complement(letters),
                               mismatches_);
    }
  });
  return expected_;
}

Verification MismatchProblem::compare(std::span<const Answer> answers) {
  if (answers.size() != places())
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("{} answers instead of {}", answers.size(), places())};
  for (std::size_t i = 0; i < expected().size(); ++i) {
    const auto& [place, counts] = expected()[i];
    ByMismatches found{};
    std::ranges::copy(answers[place].occurrences, found.begin());
    if (found == counts) continue;
    const auto query = static_cast<u32>(place / strands_);
    constexpr std::size_t kShown = 120;
    const std::string letters = queries().letters(query);
    return {
        .passed = false,
        .checked = i / strands_ + 1,
        .reason = fmt::format("query {}, strand {} ({}{}): expected {} occurrences by mismatches, found {}",
                              queries().name(query), place % strands_ == 0 ? '+' : '-',
                              letters.substr(0, kShown), letters.size() > kShown ? "..." : "",
                              text_of(counts, mismatches_), text_of(found, mismatches_))};
  }
  return {.passed = true, .checked = expected().size() / strands_, .reason = ""};
}

}  // namespace gpuseq::fm_mismatch
