#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gpuseq::bench {

/// What a figure takes beyond the times of its states.
struct Beside {
  bool ceilings = false;  // and the probes that these need
  bool counters = false;
  bool energy = false;
};

/// How a figure of reports/ is measured again: what of a config it draws, and the committed record that it is
/// drawn over.
struct Reproduction {
  std::string_view figure;                      // "fm-index/fig8"
  std::string_view config;                      // of configs/
  std::string_view committed;                   // folder of results/
  std::vector<std::string_view> families = {};  // of kernels, of the config's
  std::vector<std::string_view> probes = {};    // that the config lists, or those that its "probes_of" lists
  std::string_view states = {};                 // only these, as --benchmark_filter takes them; empty: all
  Beside beside = {};
};

/// A row for each figure that one run can draw, in the order of the page.
std::span<const Reproduction> reproductions();

/// @throws UsageError for a figure that there is not, or that one run cannot draw, naming those there are
const Reproduction& reproduction_of(const std::string& figure);

/// Leaves of a config's document what a figure draws.
void keep_what_is_drawn(const Reproduction& reproduction, nlohmann::json& document);

}  // namespace gpuseq::bench
