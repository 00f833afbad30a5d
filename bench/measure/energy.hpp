#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// Measures the energy of states, and remembers for a minute what the idle devices draw.
class EnergyMeter {
 public:
  /// Energy of a state: loops its launches for at least `seconds`, after a second that is not counted, less
  /// what the idle devices draw. Power is taken between two movements of a device's energy counter while it
  /// is busy. Of a session that says which devices work, the sum of these; none where one of them cannot
  /// tell, or moves its counter too seldom.
  /// @param device  that times the launches, and works if the session says nothing else
  /// @param work  of a launch
  /// @param launch_s  usual seconds of a launch
  /// JSON: joules, seconds, watts, idle_watts, devices ("cpu + cuda:0"), work_per_joule.
  Maybe<nlohmann::json> measure(Device& device, Session& session, const Work& work, double launch_s,
                                double seconds, const std::function<void()>& alive);

 private:
  struct Idle {
    Maybe<double> watts;
    std::chrono::steady_clock::time_point at;
  };
  Maybe<double> idle_watts(const std::vector<Device*>& devices);

  std::map<std::string, Idle> idle_;  // by the devices' names
};

}  // namespace gpuseq::bench
