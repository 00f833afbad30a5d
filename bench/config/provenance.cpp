#include "bench/config/provenance.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>

#include "bench/config/json_file.hpp"
#include "runtime/contract/device.hpp"
#include "runtime/io/byte_source.hpp"
#include "runtime/io/hash.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::bench {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// The parts of a device's description in every record; run.json has all of it.
constexpr std::array kIdentifying{"id",
                                  "name",
                                  "uuid",
                                  "driver_version",
                                  "cuda_driver_api_version",
                                  "nvrtc_version",
                                  "toolkit_version",
                                  "ecc",
                                  "mig",
                                  "sm_clock_mhz",
                                  "max_sm_clock_mhz",
                                  "memory_clock_mhz",
                                  "max_memory_clock_mhz",
                                  "power_limit_w",
                                  "multiprocessors",
                                  "l2_bytes",
                                  "memory_bytes",
                                  "cores",
                                  "threads",
                                  "caches",
                                  "clock_mhz",
                                  "max_clock_mhz",
                                  "transparent_huge_pages"};

json processor() {
  const json description = open_device("cpu")->describe();
  json host;
  for (const char* key : {"name", "caches", "operating_system", "kernel", "virtual_machine", "cpu_quota"})
    for (const std::string& field : {std::string(key), std::string(key) + "_reason"})
      if (description.contains(field)) host[field == "name" ? "cpu" : field] = description[field];
  return host;
}

}  // namespace

ordered_json program_json() {
  const BuildInfo& build = build_info();
  ordered_json program{{"version", build.version}, {"commit", build.commit}};
  if (!build.commit.ends_with("+changes") && build.commit != "unknown") return program;
  Hash hash;
  ByteSource file("/proc/self/exe");
  for (std::string_view bytes = file.next(); !bytes.empty(); bytes = file.next()) hash.update(bytes);
  program["build"] = hash.hex16();
  return program;
}

std::string program_text(const json& program) {
  if (!program.is_object()) return "not recorded";
  const std::string build = text_of(program, "build");
  return fmt::format("{}, commit {}{}", text_of(program, "version"), text_of(program, "commit"),
                     build.empty() ? "" : ", build " + build);
}

bool is_other_program(const json& a, const json& b) {
  const auto differs = [&](const char* key) {
    const std::string one = text_of(a, key), other = text_of(b, key);
    return !one.empty() && !other.empty() && one != other;
  };
  return a.is_object() && b.is_object() && (differs("version") || differs("commit") || differs("build"));
}

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string utc_now() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

json run_provenance(const SuiteConfig& config) {
  const BuildInfo& build = build_info();
  json host = processor();
  host["name"] = host_name();
  host["available_cpus"] = available_cpus();
  return {{"program",
           {{"version", build.version},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"flags", build.flags},
            {"build_type", build.build_type}}},
          {"config", config.name},
          {"config_hash", config.hash()},
          {"seed", config.seed},
          {"host", host}};
}

json device_identity(const json& description) {
  json identity{{"description_hash", hash_json(description)}};
  for (const char* key : kIdentifying)
    for (const std::string& field : {std::string(key), std::string(key) + "_reason"})
      if (description.contains(field)) identity[field] = description[field];
  return identity;
}

std::string text_of(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

json record_provenance(const json& run, const json& identity) {
  json provenance = run;
  provenance["device"] = identity;
  return provenance;
}

}  // namespace gpuseq::bench
