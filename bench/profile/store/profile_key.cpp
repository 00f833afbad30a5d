#include "bench/profile/store/profile_key.hpp"

#include <fmt/format.h>

#include <array>

#include "bench/config/json_file.hpp"
#include "bench/config/provenance.hpp"
#include "bench/profile/store/probe_version.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/cpu_facts.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;

constexpr std::array kOfGpu{"name",
                            "uuid",
                            "driver_version",
                            "nvrtc_version",
                            "max_sm_clock_mhz",
                            "max_memory_clock_mhz",
                            "power_limit_w",
                            "ecc",
                            "mig",
                            "multiprocessors",
                            "memory_bytes",
                            "l2_bytes"};
constexpr std::array kOfCpu{"name",
                            "cores",
                            "threads",
                            "cpu_quota",
                            "caches",
                            "max_clock_mhz",
                            "instruction_sets",
                            "page_bytes",
                            "transparent_huge_pages",
                            "virtual_machine"};

bool is_gpu(const json& description) {
  return description.contains("uuid");
}

/// A part of a record's provenance; an empty object if it is missing.
json provenance_part(const results::Record& record, const char* name) {
  const auto found = record.provenance.find(name);
  return found == record.provenance.end() || !found->is_object() ? json::object() : json(*found);
}

}  // namespace

std::string ProfileKey::hash() const {
  return hash_json(fields);
}

std::string machine_identity(bool is_virtual, const std::filesystem::path& root) {
  const std::filesystem::path file =
      root / (is_virtual ? "proc/sys/kernel/random/boot_id" : "etc/machine-id");
  return hash_hex16("machine card of gpuseq-bench: " + read_line(file).value_or(host_name()));
}

ProfileKey profile_key(const json& description) {
  ProfileKey key{{{"probes", probe_version()}}};
  const auto take = [&](const auto& names) {
    for (const char* name : names)
      if (description.contains(name)) key.fields[name] = description[name];
  };
  if (is_gpu(description)) {
    take(kOfGpu);
    return key;
  }
  take(kOfCpu);
  const auto is_virtual = description.find("virtual_machine");
  key.fields["available_cpus"] = available_cpus();
  key.fields["machine"] = machine_identity(is_virtual != description.end() && *is_virtual == json(true));
  return key;
}

std::string other_device(const ProfileKey& key, const results::Record& record) {
  const json device = provenance_part(record, "device"), host = provenance_part(record, "host");
  const auto differs = [&](const std::string& name, const json& value) {
    return key.fields.contains(name) && key.fields[name] != value;
  };
  const auto said = [&](const std::string& name, const json& value) {
    return fmt::format("{} with {} {}", text_of(device, "name"), name, value.dump());
  };
  for (const auto& [name, value] : device.items())
    if (differs(name, value)) return said(name, value);
  for (const char* name : {"available_cpus", "cpu_quota"})
    if (host.contains(name) && differs(name, host[name])) return said(name, host[name]);
  return {};
}

bool is_of(const ProfileKey& key, const results::Record& record) {
  const json host = provenance_part(record, "host"), program = provenance_part(record, "program");
  const BuildInfo& build = build_info();
  return other_device(key, record).empty() && text_of(host, "name") == host_name() &&
         text_of(program, "commit") == build.commit && text_of(program, "flags") == build.flags;
}

}  // namespace gpuseq::bench
