#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bench/config/config.hpp"

namespace gpuseq::bench {

/// How this program was built.
struct BuildInfo {
  std::string version;   // "0.1.0"
  std::string commit;    // of the checkout that was built, "+changes" where it had some; or "unknown"
  std::string compiler;  // "GNU 12.2.0"
  std::string flags;
  std::string build_type;
};
const BuildInfo& build_info();

/// The description of this program in run.json: version and commit, and of a build that no commit names
/// ("+changes", "unknown") as `build` the hash of its file.
nlohmann::ordered_json program_json();

/// "0.1.0, commit 1234abcd" with the build if there is one, of a run.json's `program`.
std::string program_text(const nlohmann::json& program);

/// Whether two runs are of different programs, as far as both say.
bool is_other_program(const nlohmann::json& a, const nlohmann::json& b);

/// "2026-03-01T12:00:00Z"
std::string utc_now();

/// What this machine calls itself; "unknown" if it does not say.
std::string host_name();

/// What is the same for all records of a run: program, config and its hash, seed, host, system, processor.
nlohmann::json run_provenance(const SuiteConfig& config);

/// The fields of a device's description that identify it and its settings, and the hash of the whole, which
/// stands once in run.json.
nlohmann::json device_identity(const nlohmann::json& description);

/// Provenance of a record, but for its date.
nlohmann::json record_provenance(const nlohmann::json& run, const nlohmann::json& identity);

/// A text of a provenance; empty where there is none, or null with a reason.
std::string text_of(const nlohmann::json& object, const char* key);

/// The folder that has configs/: $GPUSEQ_ROOT, which the launcher sets; of an installed program
/// share/gpuseq-bench beside its bin; else the checkout that it was built from.
std::filesystem::path source_root();

}  // namespace gpuseq::bench
