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

/// Measures the energy of states, and caches the power of idle devices for a minute.
class EnergyMeter {
 public:
  /// Energy of a state above that of the idle devices: loops its launches for at least `seconds`, after a
  /// second that is not counted. Power is taken between two steps of a device's energy counter while it is
  /// busy. If the session names its working devices, their powers are added. The reason is returned if one of
  /// them has no counter, or a counter that moves too seldom.
  /// JSON: joules, seconds, watts, idle_watts, devices ("cpu + cuda:0"), work_per_joule.
  /// @param device  times the launches, and is the working device unless the session names others
  /// @param work  per launch
  /// @param launch_s  usual seconds per launch
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
