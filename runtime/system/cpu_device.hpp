#pragma once

#include <limits>

#include "runtime/contract/device.hpp"
#include "runtime/system/huge_buffer.hpp"
#include "runtime/system/package_energy.hpp"
#include "runtime/system/threads.hpp"
#include "runtime/system/topology.hpp"

namespace gpuseq {

/// The CPUs of this machine that the process may use, as one device. Timed by the steady clock.
class CpuDevice final : public Device {
 public:
  CpuDevice();

  DeviceKind kind() const override { return DeviceKind::cpu; }
  std::string id() const override { return "cpu"; }
  nlohmann::json describe() const override;
  /// The kernel's available memory, within the control group's memory limit, minus 5 % and 256 MiB.
  std::size_t free_bytes() const override;
  void limit_memory(std::size_t bytes) override { most_bytes_ = bytes; }
  double time_s(const std::function<void()>& work) override;
  void keep_busy(double seconds) override;
  void flush_caches() override;
  void synchronize() override {}
  Maybe<double> clock_mhz() override;
  Maybe<double> max_clock_mhz() override;
  /// RAPL package energy, if the kernel supports it and permits reading.
  Maybe<double> energy_j() override;
  Maybe<double> power_w() override;
  /// Performance events of the kernel (perf_counters.hpp).
  Maybe<std::map<std::string, double>> count(const std::vector<std::string>& metrics,
                                             const std::function<void()>& work) override;
  std::vector<std::string> default_metrics() const override;

  const Topology& topology() const { return topology_; }

 private:
  Topology topology_;
  std::size_t most_bytes_ = std::numeric_limits<std::size_t>::max();
  PackageEnergy energy_;
  HugeBuffer flush_buffer_;  // both made by the first flush_caches()
  std::unique_ptr<ThreadPool> flush_threads_;
};

}  // namespace gpuseq
