#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "runtime/contract/cost.hpp"
#include "runtime/contract/device.hpp"

namespace gpuseq {

/// One state, ready to be timed: owns its buffers on the device. launch() may be called any number of times.
class Session {
 public:
  virtual ~Session() = default;
  /// The cost of a launch, counted on the data, with the memory after a launch. Counting traffic repeats a
  /// part of the work on the host, which may take seconds.
  virtual Cost cost() const = 0;
  /// Does the work once. CPU: returns when done. CUDA: enqueues on the device's stream and returns.
  virtual void launch() = 0;
  /// Compares the answers with the oracle's; runs its own launch if it needs one.
  virtual Verification verify() = 0;
  virtual std::optional<Resources> resources() const { return std::nullopt; }
  /// Named samples in seconds besides the kernel's ("upload": query upload).
  virtual std::map<std::string, std::vector<double>> side_samples_s() { return {}; }
  /// More facts for the record: {"index_bytes": ..., "bits_per_base": ...}; numbers and words only.
  virtual nlohmann::json facts() const { return nlohmann::json::object(); }
  /// The devices used by the last launches, which live as long as the session; empty: only the one that
  /// it was prepared on.
  virtual std::vector<Device*> devices_at_work() const { return {}; }
  /// Remarks for the record ("reference shortened to fit the device").
  virtual std::vector<std::string> notes() const { return {}; }
};

}  // namespace gpuseq
