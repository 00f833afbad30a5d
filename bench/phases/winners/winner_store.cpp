#include "bench/phases/winners/winner_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "bench/config/provenance.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/private_file.hpp"

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr std::size_t kMostKept = 200;  // of a machine and family; the oldest go

/// "0123456789abcdef (AMD EPYC 9R14)" for each machine but this one that a file or its winners name.
std::set<std::string> other_machines(const json& machines, std::span<const KeptWinner> winners,
                                     const ProfileKey& key) {
  std::set<std::string> hashes;
  for (const auto& [hash, fields] : machines.items())
    if (hash != key.hash() || fields != key.fields) hashes.insert(hash);
  for (const KeptWinner& one : winners)
    if (one.machine != key.hash()) hashes.insert(one.machine);
  std::set<std::string> named;
  for (const std::string& hash : hashes) {
    const std::string name = machines.contains(hash) ? text_of(machines[hash], "name") : "";
    named.insert(name.empty() ? hash : fmt::format("{} ({})", hash, name));
  }
  return named;
}

bool is_better(const KeptWinner& a, const KeptWinner& b) {
  return a.maximise ? a.score > b.score : a.score < b.score;
}

}  // namespace

std::string winners_text(const ProfileKey& key, std::span<const ordered_json> winners) {
  ordered_json document{
      {"schema", 2}, {"machines", {{key.hash(), key.fields}}}, {"winners", ordered_json::array()}};
  for (const ordered_json& one : winners) document["winners"].push_back(one);
  return document.dump(1) + "\n";
}

WinnerStore::WinnerStore(const fs::path& cache) : folder_(cache.empty() ? fs::path() : cache / "winners") {}

bool WinnerStore::empty() const {
  std::error_code error;
  return folder_.empty() || !fs::is_directory(folder_, error) || fs::is_empty(folder_, error);
}

fs::path WinnerStore::file_of(const ProfileKey& key, const std::string& family) const {
  return folder_ / key.hash() / (family + ".json");
}

std::vector<KeptWinner> WinnerStore::of(const ProfileKey& key, const std::string& family,
                                        std::string& remark) const {
  remark.clear();
  const fs::path file = file_of(key, family);
  std::error_code error;
  if (folder_.empty() || !fs::exists(file, error)) return {};
  if (remark = why_not_private(file.parent_path()); !remark.empty()) return {};
  const std::optional<std::string> text = read_private_file(file, remark);
  if (!text) return {};
  try {
    std::vector<KeptWinner> winners = winners_from(*text, file.string());
    const json machines = json::parse(*text)["machines"];
    if (const auto others = other_machines(machines, winners, key); !others.empty())
      remark = fmt::format("{} has winners of another machine, {}; they are ignored, this machine is {}",
                           file.string(), fmt::join(others, ", "), key.hash());
    const bool names_this = machines.contains(key.hash()) && machines[key.hash()] == key.fields;
    std::erase_if(winners, [&](const KeptWinner& one) {
      return !names_this || one.family != family || one.machine != key.hash();
    });
    return winners;
  } catch (const UsageError& problem) {
    fs::remove(file, error);
    remark =
        fmt::format("the winners in the cache were damaged or of another version, and are thrown away: {}",
                    problem.what());
    return {};
  }
}

std::string WinnerStore::add(const ProfileKey& key, const KeptWinner& winner,
                             const std::vector<std::pair<std::string, Point>>& beaten) const {
  if (folder_.empty()) return "nothing is cached";
  const fs::path file = file_of(key, winner.family);
  if (std::string reason = make_private_folder(file.parent_path()); !reason.empty()) return reason;
  std::string remark;
  std::vector<KeptWinner> kept = of(key, winner.family, remark);
  const auto before = std::ranges::find_if(kept, [&](const KeptWinner& one) {
    return one.problem_class == winner.problem_class && one.metric == winner.metric &&
           one.maximise == winner.maximise && are_same(one.limits, winner.limits);
  });
  if (before != kept.end()) {
    const bool was_there =
        std::ranges::find(beaten, std::pair(before->variant, before->point)) != beaten.end();
    const bool same = before->variant == winner.variant && before->point == winner.point;
    if (!was_there && !same && is_better(*before, winner)) return {};
    kept.erase(before);
  }
  kept.push_back(winner);
  if (kept.size() > kMostKept) kept.erase(kept.begin());
  std::vector<ordered_json> winners(kept.size());
  std::ranges::transform(kept, winners.begin(), &KeptWinner::json);
  const std::string text = winners_text(key, winners);
  return write_private_file(file, std::array<std::string_view, 1>{text});
}

const KeptWinner* nearest(const std::vector<KeptWinner>& winners, const ProblemClass& problem,
                          const std::vector<std::string>& metrics) {
  for (const std::string& metric : metrics) {
    const KeptWinner* found = nullptr;
    double least = 0;
    for (const KeptWinner& one : winners) {
      if (one.metric != metric) continue;
      const std::optional<double> apart = distance(problem, one.problem_class);
      if (!apart || (found != nullptr && *apart >= least)) continue;
      found = &one;
      least = *apart;
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace gpuseq::bench
