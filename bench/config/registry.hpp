#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "runtime/contract/family.hpp"

namespace gpuseq::bench {

/// What the program can measure; passed as a value, so that tests bring their own.
struct Registry {
  std::vector<std::shared_ptr<const Family>> families;
  std::vector<std::shared_ptr<const Family>> probes;
  /// Built with CUDA. Where not, the CUDA variants do not exist, and a config that names them is no mistake.
  bool with_cuda = true;

  /// @throws UsageError naming the families (the probes) there are
  const Family& family(std::string_view name) const;
  std::shared_ptr<const Family> shared_family(std::string_view name) const;
  const Family& probe(std::string_view name) const;
};

/// The families and probes of this program: the one explicit list.
Registry make_registry();

}  // namespace gpuseq::bench
