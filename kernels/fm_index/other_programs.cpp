#include "kernels/fm_index/other_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>

#include "kernels/fm_index/data/reference.hpp"
#include "kernels/fm_index/problem.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/io/byte_source.hpp"

// Input of external tools that search the same text for
// the same queries and are checked by the same oracle.

namespace gpuseq::fm_index {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLineLetters = 80;

/// A plain FASTA file of one record: the text, if no letter was left out, as the program reads it.
bool is_plain_fasta(const fs::path& path) {
  ByteSource source(path);
  const std::string_view start = source.next();
  return !source.is_gzip() && start.starts_with('>');
}

std::ofstream opened(const fs::path& path) {
  std::ofstream file(path, std::ios::binary);
  if (!file) throw_unwritable(path, errno);
  return file;
}

void close(std::ofstream& file, const fs::path& path) {
  file.close();
  if (!file) throw_unwritable(path, errno);
}

void write_reference(const fs::path& path, std::span<const u8> text) {
  std::ofstream file = opened(path);
  file << ">reference\n";
  std::string line;
  for (std::size_t at = 0; at < text.size(); at += kLineLetters) {
    line.clear();
    for (const u8 code : text.subspan(at, std::min(kLineLetters, text.size() - at))) line += "ACGT"[code];
    file << line << '\n';
  }
  close(file, path);
}

void write_queries(const fs::path& path, const Queries& queries) {
  std::ofstream file = opened(path);
  for (u32 query = 0; query < queries.begin.size(); ++query)
    if (queries.bases[query] != 0)
      file << '>' << number_of(queries, query) << '\n' << queries.letters(query) << '\n';
  close(file, path);
}

/// The packed query that a name of write_queries() means; nullopt for any other word.
/// @param in_file_order  the packed queries
std::optional<u32> query_of(const Queries& queries, std::span<const u32> in_file_order,
                            std::string_view name) {
  u64 number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number == 0) return std::nullopt;
  const auto found = std::ranges::lower_bound(in_file_order, number - 1, {},
                                              [&](u32 query) { return u64{queries.source[query]}; });
  if (found == in_file_order.end() || queries.source[*found] != number - 1) return std::nullopt;
  return queries.bases[*found] == 0 || number_of(queries, *found) != name ? std::nullopt
                                                                          : std::optional(*found);
}

/// How the answer to a checked query differs from the oracle's; empty: not at all.
std::string difference(const FmProblem& problem, std::size_t number, const Answers& answers) {
  const Queries& queries = problem.queries();
  const u32 query = problem.checked()[number];
  const auto found = answers.find(number_of(queries, query));
  const double count = found == answers.end() ? 0 : found->second;
  const Interval<u64>& expected = problem.expected()[number];
  const auto occurrences = static_cast<double>(expected.h - expected.l);
  return count == occurrences
             ? ""
             : fmt::format("query {} ({}): expected {} occurrences, found {}", number_of(queries, query),
                           queries.name(query), occurrences, count);
}

Verification refused(u64 checked, std::string reason) {
  return {.passed = false, .checked = checked, .reason = std::move(reason)};
}

}  // namespace

std::string number_of(const Queries& queries, u32 query) {
  return std::to_string(u64{queries.source[query]} + 1);
}

std::string why_foreign(const Queries& queries, const Answers& answers) {
  const std::vector<u32> in_file_order = queries.in_file_order();
  for (const auto& [name, count] : answers)
    if (!query_of(queries, in_file_order, name))
      return fmt::format("an answer for '{}', which is no query", name);
  return "";
}

std::map<std::string, fs::path> FmProblem::write_files(const fs::path& folder) const {
  if (synthetic())
    throw ResourceError("a synthetic reference is a BWT without a text, so no other program can search it");
  std::map<std::string, fs::path> files{{"queries", folder / "queries.fa"}};
  write_queries(files["queries"], queries());
  const auto source = source_file();
  if (source && is_plain_fasta(*source)) {
    files["reference"] = *source;
  } else {
    files["reference"] = folder / "reference.fa";
    write_reference(files["reference"], text());
  }
  return files;
}

Verification FmProblem::check(const Answers& answers) const {
  if (std::string reason = why_foreign(queries(), answers); !reason.empty())
    return refused(0, std::move(reason));
  u64 compared = 0;
  for (std::size_t i = 0; i < checked().size(); ++i) {
    if (queries().bases[checked()[i]] == 0) continue;
    ++compared;
    if (std::string reason = difference(*this, i, answers); !reason.empty())
      return refused(compared, std::move(reason));
  }
  return {.passed = true, .checked = compared, .reason = ""};
}

Agreement agreement(const FmProblem& problem, const Answers& answers) {
  if (const std::string reason = why_foreign(problem.queries(), answers); !reason.empty())
    throw UsageError(reason);
  Agreement result;
  for (std::size_t i = 0; i < problem.checked().size(); ++i) {
    if (problem.queries().bases[problem.checked()[i]] == 0) continue;
    ++result.compared;
    std::string reason = difference(problem, i, answers);
    if (reason.empty()) ++result.equal;
    if (result.first_difference.empty()) result.first_difference = std::move(reason);
  }
  return result;
}

}  // namespace gpuseq::fm_index
