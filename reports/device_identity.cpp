#include "reports/device_identity.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "reports/report_data.hpp"
#include "reports/units.hpp"
#include "runtime/io/hash.hpp"

namespace gpuseq::reports {
namespace {

using nlohmann::json;

/// Clocks at the moment, page settings and the number of the device in its run are left out: they say nothing
/// about which device it is.
constexpr std::array kIdentity{"name",
                               "uuid",
                               "driver_version",
                               "cuda_driver_api_version",
                               "toolkit_version",
                               "nvrtc_version",
                               "ecc",
                               "mig",
                               "multiprocessors",
                               "l2_bytes",
                               "max_sm_clock_mhz",
                               "max_memory_clock_mhz",
                               "max_clock_mhz",
                               "power_limit_w",
                               "cores",
                               "threads",
                               "caches"};

/// What the record says of its device, else what run.json does; null if neither does.
json description_of(const Run& run, const Entry& entry) {
  const results::Record& record = entry.record;
  if (record.provenance.is_object())
    if (const auto device = record.provenance.find("device");
        device != record.provenance.end() && device->is_object())
      return *device;
  if (run.summary.is_object())
    if (const auto devices = run.summary.find("devices");
        devices != run.summary.end() && devices->is_object())
      if (const auto device = devices->find(record.state.device);
          device != devices->end() && device->is_object())
        return *device;
  return nullptr;
}

/// One device of one name: where it was seen, and its words for the things that may tell it apart.
struct Seen {  // NOLINT(bugprone-exception-escape): moving JSON asserts what it moved
  json description;
  std::set<std::string> ids, runs;
};

using Word = std::function<std::string(const Seen&)>;

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// Of many the first alone: a name stands in legends.
std::string shortened(const std::set<std::string>& runs) {
  if (runs.size() <= 2) return "run " + joined(runs);
  return fmt::format("run {} and {} others", *runs.begin(), runs.size() - 1);
}

const std::vector<Word>& words() {
  static const std::vector<Word> all{
      [](const Seen& seen) { return "driver " + text(seen.description, "driver_version"); },
      [](const Seen& seen) { return "toolkit " + text(seen.description, "toolkit_version"); },
      [](const Seen& seen) {
        return format_value(number(seen.description, "memory_bytes").value_or(0), Unit::bytes);
      },
      [](const Seen& seen) { return seen.runs.size() == 1 ? joined(seen.ids) : std::string(); },
      [](const Seen& seen) { return shortened(seen.runs); },
      [](const Seen& seen) { return "run " + joined(seen.runs); },
      [](const Seen& seen) { return fmt::format("{}, run {}", joined(seen.ids), joined(seen.runs)); },
      [](const Seen& seen) { return text(seen.description, "uuid"); }};
  return all;
}

/// Names of devices that share `name`, by fingerprint.
std::map<std::string, std::string> told_apart(const std::string& name,
                                              const std::map<std::string, Seen>& devices) {
  std::map<std::string, std::string> names;
  if (devices.size() == 1) return {{devices.begin()->first, name}};
  for (const Word& word : words()) {
    std::set<std::string> different;
    for (const auto& [fingerprint, seen] : devices) different.insert(word(seen));
    if (different.size() < devices.size()) continue;
    for (const auto& [fingerprint, seen] : devices)
      names[fingerprint] = fmt::format("{} ({})", name, word(seen));
    return names;
  }
  for (const auto& [fingerprint, seen] : devices)
    names[fingerprint] = fmt::format("{} ({})", name, fingerprint.substr(0, 6));
  return names;
}

}  // namespace

std::string device_fingerprint(const Run& run, const Entry& entry, Boards boards) {
  const json description = description_of(run, entry);
  if (description.is_null())
    return hash_hex16(fmt::format("{} of {}", entry.record.state.device, run.dir.string()));
  json identity;
  for (const char* key : kIdentity)
    if (description.contains(key)) identity[key] = description[key];
  if (boards == Boards::by_model) identity.erase("uuid");
  // Older programs do not say it.
  if (const auto caches = identity.find("caches"); caches != identity.end() && caches->is_array())
    for (json& cache : *caches)
      if (cache.is_object()) cache.erase("ways");
  // A kernel takes a little of the memory, another one another little.
  if (const auto bytes = number(description, "memory_bytes"))
    identity["memory_gib"] = std::round(*bytes / (1 << 30));
  // Without its UUID a CUDA device is known by its number only; a machine has one CPU.
  if (!description.contains("uuid")) identity["id"] = entry.record.state.device;
  return hash_hex16(identity.dump(-1, ' ', false, json::error_handler_t::replace));
}

std::map<std::pair<std::size_t, std::string>, std::string> identify_devices(const std::vector<Run>& runs,
                                                                            std::vector<Entry>& entries,
                                                                            Boards boards) {
  // What a fingerprint and a name are made of: most records of a run and device share it.
  using Source = std::tuple<std::size_t, std::string, const json*>;
  std::map<Source, std::string> fingerprints;
  std::map<std::string, std::map<std::string, Seen>> by_name;
  for (Entry& entry : entries) {
    const Run& run = runs.at(entry.run);
    const results::Record& record = entry.record;
    const auto [known, is_new] =
        fingerprints.try_emplace({entry.run, record.state.device, record.provenance.address()});
    if (is_new) known->second = device_fingerprint(run, entry, boards);
    entry.device_fingerprint = known->second;
    if (!is_new) continue;
    Seen& seen =
        by_name[device_name(run.summary, record.provenance, record.state.device)][entry.device_fingerprint];
    if (seen.description.is_null()) seen.description = description_of(run, entry);
    seen.ids.insert(entry.record.state.device);
    seen.runs.insert(run.name);
  }
  std::map<std::string, std::string> names;
  for (const auto& [name, devices] : by_name) names.merge(told_apart(name, devices));
  std::map<std::pair<std::size_t, std::string>, std::string> by_id;
  for (Entry& entry : entries) {
    entry.device_name = names.at(entry.device_fingerprint);
    by_id[{entry.run, entry.record.state.device}] = entry.device_name;
  }
  return by_id;
}

}  // namespace gpuseq::reports
