#pragma once

#include <string>
#include <vector>

#include "bench/plugin/description.hpp"
#include "runtime/contract/session.hpp"
#include "runtime/plugin/gpuseq_plugin.h"
#include "runtime/plugin/support.hpp"

namespace gpuseq::bench {

/// A case of a plugin: its functions behind a session.
class PluginSession final : public Session {
 public:
  /// @throws std::runtime_error with the plugin's reason, ResourceError if that is "unsupported: ..."
  PluginSession(const PluginDescription& plugin, PluginProblem problem, const Point& point, Device& device);
  ~PluginSession() override;
  Cost cost() const override;
  void launch() override;
  Verification verify() override;
  nlohmann::json facts() const override;

 private:
  const gpuseq_plugin& plugin_;
  PluginProblem problem_;
  Device& device_;
  std::string device_id_, target_;
  std::vector<std::string> operations_;
  std::vector<std::int64_t> parameters_;
  gpuseq_input input_{};
  void* state_ = nullptr;
  double prepare_s_ = 0;
};

}  // namespace gpuseq::bench
