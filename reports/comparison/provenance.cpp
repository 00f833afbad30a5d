#include "reports/comparison/provenance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "runtime/io/hash.hpp"

namespace gpuseq::comparison {
namespace {

using nlohmann::json;
using Texts = std::set<std::string>;

enum class Group { listed, device, driver, problem };

struct Field {
  Group group = Group::listed;
  Texts texts;
};
using Fields = std::map<std::string, Field>;

constexpr std::array kDriver{"driver_version", "cuda_driver_api_version", "nvrtc_version", "toolkit_version"};
constexpr std::array kDevice{"name",
                             "uuid",
                             "ecc",
                             "mig",
                             "caches",
                             "cores",
                             "threads",
                             "memory_bytes",
                             "l2_bytes",
                             "multiprocessors",
                             "power_limit_w",
                             "max_clock_mhz",
                             "max_sm_clock_mhz",
                             "max_memory_clock_mhz"};
/// Differ from record to record, or say again what another field says.
constexpr std::array kVolatile{"date", "clock_mhz",       "sm_clock_mhz", "memory_clock_mhz",
                               "id",   "description_hash"};

/// Time that a control group grants: it makes nothing incomparable, and explains much.
constexpr const char* kQuota = "host/cpu_quota";
constexpr const char* kNoQuota = "no limit";

template <std::size_t n>
bool among(const std::array<const char*, n>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Memory of a host is what its kernel left over, which differs a little from boot to boot.
std::string memory_text(const json& bytes, const std::string& device) {
  if (device != "cpu" || !bytes.is_number()) return bytes.dump();
  return fmt::format("{:.0f} GiB", bytes.get<double>() / (1 << 30));
}

std::string text_of(const json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void add(Fields& fields, const std::string& name, Group group, std::string text) {
  Field& field = fields[name];
  field.group = group;
  field.texts.insert(std::move(text));
}

void add_device(Fields& fields, const json& device, const std::string& id) {
  if (!device.is_object()) return;
  for (const auto& [name, value] : device.items()) {
    if (value.is_null() || among(kVolatile, name) || name.ends_with("_reason")) continue;
    const Group group = among(kDriver, name)   ? Group::driver
                        : among(kDevice, name) ? Group::device
                                               : Group::listed;
    add(fields, fmt::format("device {}/{}", id, name), group,
        name == "memory_bytes" ? memory_text(value, id) : text_of(value));
  }
}

void add_record(Fields& fields, const ComparedRecord& record) {
  if (!record.provenance.is_object()) return;
  for (const auto& [name, value] : record.provenance.items()) {
    if (name == "device") {
      add_device(fields, value, record.state.device);
    } else if (value.is_object()) {
      for (const auto& [inner, inner_value] : value.items())
        if (inner_value.is_null() && name + "/" + inner == kQuota)
          add(fields, kQuota, Group::listed, kNoQuota);
        else if (!inner_value.is_null() && !inner.ends_with("_reason") &&
                 !(name == "host" && inner == "caches"))
          add(fields, fmt::format("{}/{}", name, inner), Group::listed, text_of(inner_value));
    } else if (!value.is_null() && !among(kVolatile, name)) {
      add(fields, name, Group::listed, text_of(value));
    }
  }
}

void add_problem(Fields& fields, const ComparedRecord& record) {
  if (record.status != results::Status::ok || record.problem_hash.empty()) return;
  add(fields,
      fmt::format("problem_hash of {}/{}/{}", record.state.family, record.state.problem.to_string(),
                  record.state.device),
      Group::problem, record.problem_hash);
}

Fields fields_of(const Side& side) {
  Fields fields;
  std::set<std::pair<const json*, std::string>> added;  // records of one device share their provenance
  for (const std::vector<ComparedRecord>& process : side.processes)
    for (const ComparedRecord& record : process) {
      if (added.emplace(record.provenance.address(), record.state.device).second) add_record(fields, record);
      add_problem(fields, record);
    }
  return fields;
}

bool refuses(Group group, const Allowed& allowed) {
  return (group == Group::device && !allowed.device) || (group == Group::driver && !allowed.driver) ||
         (group == Group::problem && !allowed.problem);
}

std::string joined(const Texts& texts) {
  return texts.empty() ? "not recorded" : fmt::format("{}", fmt::join(texts, " and "));
}

}  // namespace

std::vector<ProvenanceDifference> provenance_differences(const Side& base, const Side& next,
                                                         const Allowed& allowed) {
  const Fields a = fields_of(base), b = fields_of(next);
  Fields all = a;
  all.insert(b.begin(), b.end());
  std::vector<ProvenanceDifference> differences;
  for (const auto& [name, field] : all) {
    const auto in_a = a.find(name), in_b = b.find(name);
    const bool on_both = in_a != a.end() && in_b != b.end();
    const Texts& first = in_a == a.end() ? Texts() : in_a->second.texts;
    const Texts& second = in_b == b.end() ? Texts() : in_b->second.texts;
    // A side whose processes measured different data under one name has no value to compare.
    const bool mixed = field.group == Group::problem && std::max(first.size(), second.size()) > 1;
    if (!on_both && !mixed && (field.group == Group::problem || name.starts_with("device "))) continue;
    if (first == second && !mixed) continue;
    // Records of older versions do not say that there is none.
    if (!on_both && name == kQuota && field.texts == Texts{kNoQuota}) continue;
    differences.push_back(
        {name, joined(first), joined(second), (on_both || mixed) && refuses(field.group, allowed)});
  }
  return differences;
}

std::string why_refused(const std::vector<ProvenanceDifference>& differences) {
  std::string lines;
  for (const ProvenanceDifference& difference : differences)
    if (difference.refuses)
      lines += fmt::format("\n  {}: {} in the base, {} in the new side", difference.field, difference.base,
                           difference.other);
  return lines;
}

std::string device_hash(const ComparedRecord& record) {
  Fields fields;
  add_record(fields, record);
  Hash hash;
  for (const auto& [name, field] : fields)
    if (field.group == Group::device || (name == kQuota && !field.texts.contains(kNoQuota)))
      hash.update(name + "=" + *field.texts.begin() + "\n");
  return hash.hex16();
}

}  // namespace gpuseq::comparison
