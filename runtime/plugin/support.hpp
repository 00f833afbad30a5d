#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "runtime/contract/cost.hpp"
#include "runtime/contract/problem.hpp"

namespace gpuseq {

/// A problem in the form of gpuseq_plugin.h, and the place for a plugin's answers.
struct PluginProblem {
  std::shared_ptr<void> owner;  // of all that follows; uses the Problem
  const void* problem = nullptr;
  void* answers = nullptr;  // no plugin's answer before it has written
  Work work;
  std::function<Verification()> check;  // compares `answers` with the oracle's
  nlohmann::json facts = nlohmann::json::object();
};

/// The part of a family for plugins.
struct PluginSupport {
  std::string family;
  /// @throws ResourceError for a problem that plugins cannot be given
  PluginProblem (*encode)(Problem& problem) = nullptr;
  /// Upper estimate of the letters of a problem's data before it is loaded; 0: not known.
  std::uint64_t (*letters)(const StateOutline& state) = nullptr;
};

}  // namespace gpuseq
