#include "results/statistics/occupancy.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace gpuseq::results {
namespace {

constexpr const char* kFootprint = "footprint_bytes";
constexpr std::size_t kFewestNumbers = 3;

/// Facts of other versions may have any type.
std::optional<double> positive(const Record& record, std::string_view key) {
  if (!record.facts.is_object()) return {};
  const auto found = record.facts.find(key);
  if (found == record.facts.end() || !found->is_number()) return {};
  const double value = found->get<double>();
  return value > 0 ? std::optional(value) : std::nullopt;
}

std::optional<InFlight> in_flight(const Record& record) {
  const auto accesses = positive(record, "accesses_in_flight");
  if (!accesses) return {};
  if (const auto multiprocessors = positive(record, "multiprocessors")) {
    const auto warps = positive(record, "warps_per_sm"), loads = positive(record, "loads_per_lane");
    if (!warps || !loads) return {};
    return InFlight{.workers = *warps,
                    .per_worker = *loads,
                    .per_core = *accesses / *multiprocessors,
                    .accesses = *accesses};
  }
  const auto threads = positive(record, "threads");
  if (!threads) return {};
  const double each = *accesses / *threads;
  return InFlight{.workers = *threads, .per_worker = each, .per_core = each, .accesses = *accesses};
}

bool is_whole(const Point& point, const char* axis) {
  return point.has(axis) && std::holds_alternative<std::int64_t>(point.at(axis));
}

bool counts(const Record& record) {
  const Point& point = record.state.point;
  return record.state.family == "random_access" && record.status == Status::ok && record.statistics &&
         record.statistics->rate > 0 && is_whole(point, kFootprint) && is_whole(point, "block_bytes") &&
         point.has("access");
}

using Points = std::map<std::pair<double, double>, InFlight>;  // by workers and accesses per worker

/// The footprint with most points; the larger one of two with equally many.
std::map<std::int64_t, Points>::const_iterator widest(const std::map<std::int64_t, Points>& footprints) {
  return std::max_element(footprints.begin(), footprints.end(),
                          [](const auto& a, const auto& b) { return a.second.size() <= b.second.size(); });
}

}  // namespace

std::vector<Occupancy> occupancies(std::span<const Record* const> records) {
  std::map<std::tuple<std::string, std::int64_t, std::string>, std::map<std::int64_t, Points>> found;
  std::map<std::string, bool> of_warps;
  for (std::size_t at = 0; at < records.size(); ++at) {
    const Record& record = *records[at];
    if (!counts(record)) continue;
    std::optional<InFlight> one = in_flight(record);
    if (!one) continue;
    one->record = at;
    one->rate = record.statistics->rate;
    const Point& point = record.state.point;
    of_warps[record.state.device] = positive(record, "multiprocessors").has_value();
    Points& points = found[{record.state.device, point.integer("block_bytes"), point.word("access")}]
                          [point.integer(kFootprint)];
    const auto [kept, is_new] = points.emplace(std::pair(one->workers, one->per_worker), *one);
    if (!is_new && kept->second.rate < one->rate) kept->second = *one;
  }
  std::vector<Occupancy> all;
  for (const auto& [key, footprints] : found) {
    const auto& [footprint, points] = *widest(footprints);
    std::set<double> numbers;
    for (const auto& [place, one] : points) numbers.insert(one.accesses);
    if (numbers.size() < kFewestNumbers) continue;
    const auto& [device, block_bytes, access] = key;
    Occupancy occupancy{.device = device,
                        .block_bytes = block_bytes,
                        .footprint_bytes = footprint,
                        .access = access,
                        .of_warps = of_warps[device],
                        .points = {}};
    for (const auto& [place, one] : points) occupancy.points.push_back(one);
    std::ranges::stable_sort(occupancy.points, {}, &InFlight::accesses);
    all.push_back(std::move(occupancy));
  }
  return all;
}

double best_rate(const Occupancy& occupancy) {
  return std::ranges::max_element(occupancy.points, {}, &InFlight::rate)->rate;
}

const InFlight& fewest_that_reach(const Occupancy& occupancy, double share) {
  const double rate = share * best_rate(occupancy);
  const InFlight* fewest = nullptr;
  for (const InFlight& one : occupancy.points)
    if (one.rate >= rate && (fewest == nullptr ||
                             std::pair(one.accesses, -one.rate) < std::pair(fewest->accesses, -fewest->rate)))
      fewest = &one;
  return *fewest;
}

}  // namespace gpuseq::results
