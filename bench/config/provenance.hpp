#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/config/config.hpp"

namespace gpuseq::bench {

/// Version, commit and compiler of this program.
struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string commit;    // of the built checkout, with "+changes" if it was modified; or "unknown"
  std::string compiler;  // "GNU 12.2.0"
  std::string flags;
  std::string build_type;
};
const BuildInfo& build_info();

/// The description of this program in run.json: version and commit, and for a build without an exact commit
/// ("+changes", "unknown") the hash of its file as `build`.
nlohmann::ordered_json program_json();

/// "0.1.0, commit 12ab34" with the build if there is one, of a run.json's `program`.
std::string program_text(const nlohmann::json& program);

/// Whether two runs used different programs, as far as both have the information.
bool is_other_program(const nlohmann::json& a, const nlohmann::json& b);

/// "2026-03-01T12:00:00Z"
std::string utc_now();

/// "unknown" if the machine has no name.
std::string host_name();

/// The common parts of all records of a run: program, config and its hash, seed, host, system, CPU.
nlohmann::json run_provenance(const SuiteConfig& config);

/// The fields of a device's description that identify it and its settings, and the hash of the whole
/// description, which is in run.json.
nlohmann::json device_identity(const nlohmann::json& description);

/// Provenance of a record, without its date.
nlohmann::json record_provenance(const nlohmann::json& run, const nlohmann::json& identity);

/// A text of a provenance; empty if it is missing, or null with a reason.
std::string text_of(const nlohmann::json& object, const char* key);

/// The folder that contains configs/: $GPUSEQ_ROOT, which the launcher sets; for an installed program
/// share/gpuseq-bench next to its bin; else the checkout that it was built from.
std::filesystem::path source_root();

}  // namespace gpuseq::bench
