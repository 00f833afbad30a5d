#include <chrono>

#include "probes/cpu/chase.hpp"
#include "probes/cpu/probes.hpp"
#include "runtime/system/threads.hpp"

namespace gpuseq::probes {
namespace {

/// One thread follows the pointers of a random cycle through every node of the footprint.
class Latency final : public Session {
 public:
  Latency(std::shared_ptr<CpuMemory> memory, const Point& point, std::uint64_t seed)
      : chase_(std::move(memory), static_cast<std::size_t>(point.integer("footprint_bytes")),
               static_cast<std::size_t>(point.integer("stride_bytes")), seed),
        thread_(1) {
    follow(chase_.warming_accesses());
  }

  Cost cost() const override { return {.work = {static_cast<double>(Chase::kAccesses), "accesses"}}; }

  void launch() override {
    const auto begin = std::chrono::steady_clock::now();
    follow(Chase::kAccesses);
    const std::chrono::duration<double, std::nano> elapsed = std::chrono::steady_clock::now() - begin;
    latency_ns_ = elapsed.count() / static_cast<double>(Chase::kAccesses);
  }

  Verification verify() override {
    return chase_.verify([this](std::uint64_t accesses) { follow(accesses); });
  }

  nlohmann::json facts() const override { return {{"latency_ns", latency_ns_}, {"nodes", chase_.nodes()}}; }

 private:
  void follow(std::uint64_t accesses) {
    thread_.run([&](int) { chase_.follow(accesses); });
  }

  Chase chase_;
  ThreadPool thread_;
  double latency_ns_ = 0;
};

}  // namespace

std::unique_ptr<Session> prepare_cpu_latency(ProbeProblem& problem, const Point& point, Device& device) {
  return std::make_unique<Latency>(CpuMemory::of(problem, point, device), point, problem.seed());
}

}  // namespace gpuseq::probes
