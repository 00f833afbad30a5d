#include "bench/profile/caches/associativity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "bench/config/json_file.hpp"
#include "probes/associativity.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using probes::ConflictSet;
using results::Record;

constexpr const char* kTooManySets =
    "it has so many sets that one overfull set is less than a thousandth of the time of a chase";

ConflictSet look_of(const json& cache) {
  ConflictSet look;
  if (!cache.is_object()) return look;
  if (cache.contains("ways") && cache["ways"].is_number_integer()) look.ways = cache["ways"].get<int>();
  const auto number = [&](const char* key) {
    return cache.contains(key) && cache[key].is_number() ? cache[key].get<double>() : 0;
  };
  look.served = number("served_ns");
  look.missed = number("missed_ns");
  if (cache.contains("reason") && cache["reason"].is_string()) look.reason = cache["reason"];
  return look;
}

/// Repetitions of each cache, nearest cache first.
std::vector<std::vector<ConflictSet>> looks_of(std::span<const Record* const> records) {
  std::vector<std::vector<ConflictSet>> looks;
  for (const Record* record : records) {
    if (!record->facts.is_object()) continue;
    const json caches = record->facts.value("caches", json::array());
    if (!caches.is_array()) continue;
    if (looks.size() < caches.size()) looks.resize(caches.size());
    for (std::size_t i = 0; i < caches.size(); ++i) looks[i].push_back(look_of(caches[i]));
  }
  return looks;
}

std::map<std::string, json> stated_ways(const json& description) {
  std::map<std::string, json> stated;
  for (const json& cache : description.value("caches", json::array()))
    if (cache.is_object() && cache.contains("level"))
      stated[fmt::format("L{}", cache.value("level", 0))] = cache.value("ways", json());
  return stated;
}

/// The least time of the repetitions that found the number of ways: disturbance makes them longer.
ordered_json least(std::span<const ConflictSet> looks, double ConflictSet::*time) {
  double found = 0;
  for (const ConflictSet& look : looks)
    if (look.ways && look.*time > 0) found = found == 0 ? look.*time : std::min(found, look.*time);
  return found > 0 ? ordered_json(found) : ordered_json(nullptr);
}

ordered_json row_of(std::span<const ConflictSet> looks) {
  const probes::AgreedWays agreed = probes::agreed_ways(looks);
  return {{"ways", or_null(agreed.ways)},
          {"stated_ways", nullptr},
          {"looks", looks.size()},
          {"looks_that_say",
           std::ranges::count_if(looks, [](const ConflictSet& one) { return one.ways.has_value(); })},
          {"served_ns", least(looks, &ConflictSet::served)},
          {"missed_ns", least(looks, &ConflictSet::missed)},
          {"reason", agreed.reason}};
}

}  // namespace

ordered_json associativity_json(std::span<const Record* const> records, const json& description) {
  const std::vector<std::vector<ConflictSet>> looks = looks_of(records);
  if (looks.empty()) return nullptr;
  ordered_json rows = ordered_json::array();
  std::map<std::string, json> stated = stated_ways(description);
  const auto add = [&](const std::string& name, const ordered_json& row) {
    ordered_json named{{"name", name}};
    named.update(row);
    if (const auto found = stated.find(name); found != stated.end()) {
      named["stated_ways"] = found->second;
      stated.erase(found);
    }
    rows.push_back(std::move(named));
  };
  for (std::size_t i = 0; i < looks.size(); ++i) add(fmt::format("L{}", i + 1), row_of(looks[i]));
  for (const std::string& name : {std::string("L3"), std::string("L4")}) {
    if (!stated.contains(name)) continue;
    ordered_json row = row_of({});
    row["reason"] = kTooManySets;
    add(name, row);
  }
  return rows;
}

std::string associativity_text(const ordered_json& device) {
  if (!device.contains("associativity")) return "";
  std::string text, reasons;
  for (const ordered_json& row : device["associativity"]) {
    const auto name = row["name"].get<std::string>();
    const std::string stated =
        row["stated_ways"].is_number() ? fmt::format("{:.0f}", row["stated_ways"].get<double>()) : "-";
    if (row["ways"].is_number())
      text += fmt::format("{}{} {:.0f} (stated {})", text.empty() ? "" : ", ", name,
                          row["ways"].get<double>(), stated);
    else
      reasons += fmt::format("; {} (stated {}): {}", name, stated, row["reason"].get<std::string>());
  }
  if (text.empty() && !reasons.empty()) reasons.erase(0, 2);
  return text.empty() && reasons.empty() ? "" : fmt::format("  {:11}{}{}\n", "ways", text, reasons);
}

}  // namespace gpuseq::bench
