#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "bench/config/config.hpp"
#include "bench/config/problem_files.hpp"
#include "bench/measure/energy.hpp"
#include "bench/measure/reference_loop.hpp"
#include "bench/plan/plan.hpp"
#include "results/names/problem_hashes.hpp"
#include "results/record.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/folders/scratch_folder.hpp"

namespace gpuseq::bench {

/// An input file is malformed: no state that reads it can be measured, so the run ends.
struct DataError : UsageError {
  using UsageError::UsageError;
};

/// A device no longer works (a kernel's fault broke its context); only a new process can continue.
struct DeviceLost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using OpenDevice = std::function<std::unique_ptr<Device>(const std::string& id)>;

/// The stage in which a problem is loaded.
inline constexpr const char* kLoadStage = "load";

/// Turns states into records. Keeps devices, the last problem and the last session, so that consecutive
/// states share them.
class Measurer {
 public:
  /// @param alive  called with the stage ("load", "prepare", "verify", "sample" ...) on every progress
  Measurer(const SuiteConfig& config, nlohmann::json run_provenance, OpenDevice open,
           std::function<void(const std::string& stage)> alive);

  /// Rejects changed data: files that changed since the run began, and problems whose hash differs from that
  /// in records.
  void hold_to(DataContents begun, results::ProblemHashes hashes);

  /// A record of a state without numbers and provenance.
  static results::Record blank(const State& state);
  /// Provenance of a record made now.
  nlohmann::json provenance(const std::string& device);

  /// Checks the state against the oracle, then times it. The record has no bound yet, only the reason if the
  /// variant has none. A state that cannot be measured gives a record with its failure: wrong_result and
  /// error are failed, does_not_fit and unsupported are skipped.
  /// @throws DataError for malformed input and for changed data
  results::Record measure(const State& state);

  /// @throws DeviceLost if the state's device does not respond
  void check_device(const State& state);

  /// The device's description for run.json.
  const nlohmann::json& describe(const std::string& device);

 private:
  struct OpenedDevice {  // NOLINT(bugprone-exception-escape): JSON that is moved throws nothing
    std::unique_ptr<Device> device;
    nlohmann::json description, identity;
  };
  OpenedDevice& opened(const std::string& id);
  Problem& problem_of(const State& state);
  /// @throws DataError naming a file of the state's problem that changed since the run began
  void check_files(const State& state);
  Session& session_of(const State& state, Device& device);
  void fill(results::Record& record, const State& state);
  void take_numbers(results::Record& record, const State& state, Device& device, Session& session,
                    const Cost& cost);
  void extra_passes(results::Record& record, Device& device, Session& session);

  const SuiteConfig& config_;
  nlohmann::json run_provenance_;
  OpenDevice open_;
  std::function<void(const std::string&)> alive_;
  std::map<std::string, OpenedDevice> devices_;
  std::string problem_key_, session_key_;
  DataWatch files_;
  results::ProblemHashes hashes_;
  EnergyMeter energy_;
  ReferenceLoop reference_loop_;
  std::unique_ptr<ScratchFolder> unpacked_;  // archives, if there is no cache
  std::unique_ptr<Problem> problem_;
  std::unique_ptr<Session> session_;  // uses problem_ and a device: destroyed first
};

}  // namespace gpuseq::bench
