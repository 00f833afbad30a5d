#pragma once

#include <map>
#include <string>
#include <vector>

namespace gpuseq::reports {

/// How `exec` takes a family, as the program's registry says it: reports know families by their records
/// alone.
struct ExecUse {
  struct Option {
    std::string axis;      // "min_length"; its option on the command line has hyphens
    bool is_flag = false;  // given for "yes", left out for "no"
  };
  std::vector<std::string> roles = {};     // of --data, each with a file
  std::vector<std::string> variants = {};  // those of the program, no peers
  std::vector<Option> options = {};
};

/// By family. A family that `exec` does not take has none.
using ExecUses = std::map<std::string, ExecUse>;

}  // namespace gpuseq::reports
