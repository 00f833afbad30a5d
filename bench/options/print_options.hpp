#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace gpuseq::bench {

/// --format, --width, --bare and --height of commands that draw figures.
struct PrintOptions {
  std::vector<std::string> formats = {};
  std::string width = "auto";
  bool bare = false;
  double height_mm = 0;

  /// The options are read into this object, which must stay where it is.
  void add_to(CLI::App& command);
  /// The same as words of `report`. @throws UsageError for a width that is none, or what is without pictures
  std::vector<std::string> checked() const;
};

}  // namespace gpuseq::bench
