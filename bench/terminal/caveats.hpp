#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "bench/terminal/terminal.hpp"
#include "results/record.hpp"

namespace gpuseq::bench {

/// What a reader must know of the rows of a table beside their numbers, each by a letter.
class Caveats {
 public:
  /// @param summary  run.json
  Caveats(const nlohmann::ordered_json& summary, std::span<const results::Record> records);

  /// The letters of a candidate of run.json's `tuned`, "ac"; empty: none.
  std::string letters(const nlohmann::ordered_json& candidate, const results::StateKey& state);
  /// The letters given so far with their meaning, a line each.
  std::string text(const Terminal& terminal) const;

 private:
  char letter_of(const std::string& meaning);

  const nlohmann::ordered_json& summary_;
  std::map<std::string, const results::Record*> records_;  // by key, the last phase's
  std::vector<std::string> meanings_;
};

}  // namespace gpuseq::bench
