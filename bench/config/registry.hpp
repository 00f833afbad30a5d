#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// What the program can measure; passed as a value, so that tests bring their own.
struct Registry {
  std::vector<std::shared_ptr<const Family>> families;
  std::vector<std::shared_ptr<const Family>> probes;
  std::vector<std::string> not_built = {};  // families that GPUSEQ_FAMILIES leaves out of this build
  /// Built with CUDA. Where not, the CUDA variants do not exist, and a config that names them is no mistake.
  bool with_cuda = true;

  /// Empty unless the build leaves the family out.
  std::string why_not_built(std::string_view name) const;
  /// @throws UsageError naming the families (the probes) there are
  const Family& family(std::string_view name) const;
  std::shared_ptr<const Family> shared_family(std::string_view name) const;
  const Family& probe(std::string_view name) const;
};

/// The families and probes of this program.
Registry make_registry();

/// Adds the families of CMakeLists.txt that this build has, and the names of the others (families.cpp.in).
void add_families(Registry& registry);

}  // namespace gpuseq::bench
