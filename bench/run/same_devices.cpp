#include "bench/run/same_devices.hpp"

#include <fmt/format.h>

#include <map>

#include "bench/config/provenance.hpp"
#include "results/journal.hpp"
#include "runtime/text/printable.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

/// "NVIDIA H200 GPU-6d75...", "AMD EPYC with 2 threads"; unknown parts are left out.
std::string name_of(const json& device) {
  const std::string name = text_of(device, "name"), uuid = text_of(device, "uuid");
  if (!uuid.empty()) return name + " " + uuid;
  const auto threads = device.find("threads");
  return threads != device.end() && threads->is_number()
             ? fmt::format("{} with {} threads", name, threads->dump())
             : name;
}

/// ", CPU quota 2.5"; empty without one.
std::string quota_of(const json& object) {
  const auto quota = object.find("cpu_quota");
  return quota == object.end() || !quota->is_number() ? "" : ", CPU quota " + quota->dump();
}

/// Where the first record of each device begins that was measured.
std::map<std::string, std::uint64_t> first_records(const std::filesystem::path& journal) {
  std::map<std::string, std::uint64_t> first;
  results::Journal::read_heads(journal, results::ReadLine::head,
                               [&](const results::RecordHead& head, std::size_t, std::uint64_t begin) {
                                 if (!head.worker_died())
                                   first.emplace(head.state.substr(head.state.rfind('/') + 1), begin);
                               });
  return first;
}

}  // namespace

std::vector<std::string> other_devices(const std::filesystem::path& journal,
                                       std::span<const DeviceInfo> devices, const DescribeDevice& describe) {
  std::vector<std::string> others;
  if (!std::filesystem::exists(journal)) return others;
  const std::map<std::string, std::uint64_t> first = first_records(journal);
  for (const DeviceInfo& device : devices) {
    const auto found = first.find(device.id);
    if (found == first.end()) continue;
    const json provenance = *results::Journal::at(journal, found->second).provenance;
    const auto before = provenance.find("device");
    if (before == provenance.end()) continue;  // of a version that did not say
    const json now = describe(device.id), host = provenance.value("host", json::object());
    std::string name_before = name_of(*before), name_now = printable(name_of(now));
    if (device.kind == DeviceKind::cpu && host.contains("cpu_quota")) {
      name_before += quota_of(host);
      name_now += quota_of(now);
    }
    if (name_before != name_now)
      others.push_back(fmt::format("{} was {}, here it is {}", device.id, name_before, name_now));
  }
  return others;
}

}  // namespace gpuseq::bench
