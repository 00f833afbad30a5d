#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/run/terminal/terminal.hpp"

namespace gpuseq::bench {

/// The warnings of the rows of a table next to their numbers, each by a letter.
class Caveats {
 public:
  /// @param summary  run.json
  explicit Caveats(const nlohmann::ordered_json& summary) : summary_(summary) {}

  /// The letters of a candidate of run.json's `tuned`, "ac"; empty: none.
  std::string letters(const nlohmann::ordered_json& candidate, const std::string& device);
  /// The letters given so far with their meaning, a line each.
  std::string text(const Terminal& terminal) const;

 private:
  char letter_of(const std::string& meaning);

  const nlohmann::ordered_json& summary_;
  std::vector<std::string> meanings_;
};

}  // namespace gpuseq::bench
