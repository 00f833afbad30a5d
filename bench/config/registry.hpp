#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/family.hpp"
#include "runtime/plugin/support.hpp"

namespace gpuseq::bench {

/// The families and probes that can be measured; passed as a value, so that tests use their own.
struct Registry {
  std::vector<std::shared_ptr<const Family>> families;
  std::vector<std::shared_ptr<const Family>> probes;
  std::vector<PluginSupport> plugins = {};  // of the families that take plugins
  std::vector<std::string> not_built = {};  // families that GPUSEQ_FAMILIES leaves out of this build
  /// Whether CUDA is built in. If not, there are no CUDA variants, and a config may still name them.
  bool with_cuda = true;

  /// Empty unless the build excludes the family.
  std::string why_not_built(std::string_view name) const;
  /// @throws UsageError naming the existing families or probes
  const Family& family(std::string_view name) const;
  std::shared_ptr<const Family> shared_family(std::string_view name) const;
  const Family& probe(std::string_view name) const;
};

/// The families and probes of this program.
Registry make_registry();

/// Adds this build's families from CMakeLists.txt, and the names of the others (families.cpp.in).
void add_families(Registry& registry);

}  // namespace gpuseq::bench
