#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "runtime/contract/device.hpp"
#include "tests/bench/toy_registry.hpp"

namespace gpuseq::bench::testing {

/// A device whose clocks are scripted: seconds of each launch, and the clock seen after it.
class ScriptedDevice : public Device {
 public:
  DeviceKind kind_ = DeviceKind::cuda;
  std::vector<double> seconds{1e-3};
  std::vector<double> clocks{2000};
  std::size_t launches = 0, flushes = 0;
  double energy = 0, watts = 100, waited_s = 0;

  DeviceKind kind() const override { return kind_; }
  std::string id() const override { return "cuda:0"; }
  nlohmann::json describe() const override { return {{"name", "Scripted"}}; }
  std::size_t free_bytes() const override { return 1 << 20; }
  void limit_memory(std::size_t) override {}
  double time_s(const std::function<void()>& work) override {
    work();
    return seconds[std::min(launches++, seconds.size() - 1)];
  }
  void keep_busy(double seconds) override { waited_s += seconds; }
  void flush_caches() override { ++flushes; }
  void synchronize() override {}
  Maybe<double> clock_mhz() override { return {clocks[std::min(launches - 1, clocks.size() - 1)], {}}; }
  Maybe<double> max_clock_mhz() override { return {2000, {}}; }
  Maybe<double> energy_j() override { return {energy += 50, {}}; }
  Maybe<double> power_w() override { return {watts, {}}; }
  Maybe<std::map<std::string, double>> count(const std::vector<std::string>&,
                                             const std::function<void()>&) override {
    return {std::nullopt, "scripted"};
  }
  std::vector<std::string> default_metrics() const override { return {}; }
};

inline ToySession quick_session() {
  return {"steady", {10, "toys"}, 0, std::nullopt};
}

/// A session of several devices.
class SeveralDevices : public ToySession {
 public:
  explicit SeveralDevices(std::vector<Device*> devices)
      : ToySession("steady", {10, "toys"}, 0, std::nullopt), devices_(std::move(devices)) {}
  std::vector<Device*> devices_at_work() const override { return devices_; }

 private:
  std::vector<Device*> devices_;
};

}  // namespace gpuseq::bench::testing
