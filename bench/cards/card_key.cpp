#include "bench/cards/card_key.hpp"

#include <array>

#include "bench/base/json_file.hpp"
#include "bench/cards/probe_version.hpp"
#include "bench/config/provenance.hpp"
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

}  // namespace

std::string CardKey::hash() const {
  return hash_json(fields);
}

std::string machine_identity(bool is_virtual, const std::filesystem::path& root) {
  const std::filesystem::path file =
      root / (is_virtual ? "proc/sys/kernel/random/boot_id" : "etc/machine-id");
  return hash_hex16("machine card of gpuseq-bench: " + read_line(file).value_or(host_name()));
}

CardKey card_key(const json& description) {
  CardKey key{{{"probes", probe_version()}}};
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

bool is_of(const CardKey& key, const results::Record& record) {
  const auto part = [&](const char* name) {
    const auto found = record.provenance.find(name);
    return found == record.provenance.end() ? json::object() : json(*found);
  };
  const json device = part("device"), host = part("host"), program = part("program");
  for (const auto& [name, value] : device.items())
    if (key.fields.contains(name) && key.fields[name] != value) return false;
  constexpr const char* kCpus = "available_cpus";
  if (key.fields.contains(kCpus) && host.contains(kCpus) && key.fields[kCpus] != host[kCpus]) return false;
  const BuildInfo& build = build_info();
  return text_of(host, "name") == host_name() && text_of(program, "commit") == build.commit &&
         text_of(program, "flags") == build.flags;
}

}  // namespace gpuseq::bench
