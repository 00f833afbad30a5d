#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/exact_match/exec/match_writer.hpp"
#include "kernels/exact_match/problem.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::exact_match {
namespace {

std::string in_words(const Reference& reference, const Match* match) {
  if (match == nullptr) return "none";
  const u32 sequence = reference.sequence_at(match->reference);
  return fmt::format("{}:{} {} {}", reference.names[sequence],
                     match->reference - reference.begin[sequence] + 1, match->query + 1, match->length);
}

/// The first difference of two lists of matches of a strand; empty if they are equal.
std::string difference(const Reference& reference, std::span<const Match> expected,
                       std::span<const Match> found) {
  const auto [a, b] = std::mismatch(expected.begin(), expected.end(), found.begin(), found.end());
  if (a == expected.end() && b == found.end()) return "";
  return fmt::format("match {}: expected {}, found {}", a - expected.begin() + 1,
                     in_words(reference, a == expected.end() ? nullptr : &*a),
                     in_words(reference, b == found.end() ? nullptr : &*b));
}

}  // namespace

Work MatchSession::work() const {
  return {.amount = static_cast<double>(problem_.queries().bases() * problem_.search().strands()),
          .unit = kQueryBases};
}

Verification MatchSession::verify() {
  const u32 strands = problem_.search().strands();
  const MatchList found = matches();
  const auto checked = problem_.checked();
  const MatchList& expected = problem_.expected();
  if (found.end.size() != problem_.queries().count() * strands)
    return {.passed = false,
            .checked = 0,
            .reason = fmt::format("answers for {} strands of {} queries", found.end.size(),
                                  problem_.queries().count())};
  printing_s_ = seconds_to_print(found);
  u64 compared = 0;
  for (u64 i = 0; i < checked.size() * strands; ++i) {
    const u64 query = checked[i / strands];
    const auto wanted = expected.of(i);
    const std::string wrong =
        difference(problem_.reference(), wanted, found.of(query * strands + i % strands));
    if (!wrong.empty())
      return {.passed = false,
              .checked = compared,
              .reason = fmt::format("query {} ({}){}: {}", query + 1, problem_.queries().names[query],
                                    i % strands == 1 ? " reverse" : "", wrong)};
    compared += wanted.size();
  }
  return {.passed = true, .checked = compared, .reason = ""};
}

nlohmann::json MatchSession::facts() const {
  return {{"reference_bases", problem_.reference().letters()},
          {"query_count", problem_.queries().count()},
          {"query_bases", problem_.queries().bases()},
          {"min_length", problem_.search().min_length},
          {"strands", problem_.search().strands()}};
}

double MatchSession::printing_s() {
  if (!printing_s_) printing_s_ = seconds_to_print(matches());
  return *printing_s_;
}

double MatchSession::seconds_to_print(const MatchList& list) const {
  const auto start = std::chrono::steady_clock::now();
  const MatchWriter writer(problem_.reference(), problem_.search());
  constexpr u64 kStrandsATime = u64{1} << 14;
  std::string text;
  for (u64 strand = 0; strand < list.end.size(); strand += kStrandsATime) {
    text.clear();
    writer.write(text, problem_.queries(), list, strand,
                 std::min<u64>(strand + kStrandsATime, list.end.size()));
  }
  return seconds_since(start);
}

std::vector<std::string> MatchSession::notes() const {
  return problem_.notes();
}

}  // namespace gpuseq::exact_match
