#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>

#include "kernels/pairwise_distance/data/instance_files.hpp"
#include "kernels/pairwise_distance/oracle.hpp"
#include "kernels/pairwise_distance/problem_state.hpp"

namespace gpuseq::pairwise_distance {
namespace {

/// Instance numbers, from 1, in an answer's key "3,17".
std::optional<std::pair<u64, u64>> pair_of(const std::string& key, u64 count) {
  u64 a = 0, b = 0;
  const char* end = key.data() + key.size();
  const auto [comma, first] = std::from_chars(key.data(), end, a);
  if (first != std::errc{} || comma == end || *comma != ',') return std::nullopt;
  const auto [rest, second] = std::from_chars(comma + 1, end, b);
  if (second != std::errc{} || rest != end || a < 1 || b < 1 || a > count || b > count) return std::nullopt;
  return std::pair{a - 1, b - 1};
}

}  // namespace

/// A CSV file with these instances; genotypes also as PLINK's three files, and "numbered_fam", in which
/// samples are named by their numbers.
std::map<std::string, std::filesystem::path> DistanceProblem::write_files(
    const std::filesystem::path& folder) const {
  std::map<std::string, std::filesystem::path> files{{"instances", folder / "instances.csv"}};
  write_csv(files["instances"], instances());
  if (instances().is_real() || instances().alphabet > 3) return files;
  for (const char* part : {"bed", "bim", "fam"}) files[part] = folder / fmt::format("instances.{}", part);
  write_plink(files["bed"], instances());
  files["numbered_fam"] = folder / "numbered.fam";
  write_numbered_samples(files["numbered_fam"], instances().count);
  return files;
}

/// Answers are distances with the numbers of two instances, from 1, as keys: "3,17".
Verification DistanceProblem::check(const Answers& answers) const {
  u64 checked = 0;
  for (const auto& [key, found] : answers) {
    const auto pair = pair_of(key, instances().count);
    if (!pair) continue;
    const double expected = oracle_pair(instances(), metric(), pair->first, pair->second).distance(metric());
    ++checked;
    // Programs may print only six digits.
    const double allowed =
        is_real(metric()) ? 1e-5 * expected + euclidean_error(instances().attributes, expected) : 0;
    if (!(std::abs(found - expected) <= allowed))
      return {
          .passed = false,
          .checked = checked,
          .reason = fmt::format("distance of the instances {}: expected {}, found {}", key, expected, found)};
  }
  return {.passed = true,
          .checked = checked,
          .reason = checked > 0 ? "" : "no answer has the numbers of two instances as its key (\"3,17\")"};
}

}  // namespace gpuseq::pairwise_distance
