#pragma once

#include <string>
#include <string_view>

#include "runtime/contract/errors.hpp"

namespace gpuseq {

/// A variant does not support the data, or not at this point; the message names the supported data. The
/// state is skipped. If only this state was requested, as in `exec`, the arguments are wrong and the program
/// exits with code 2.
struct Unsupported : ResourceError {
  using ResourceError::ResourceError;
};

/// The option that compiles kernels for all shapes (CMakeLists.txt).
inline constexpr std::string_view kAllShapesOption = "GPUSEQ_ALL_SHAPES";

/// A kernel of this shape is left out of the build.
struct NotCompiled : Unsupported {
  /// @param shape  "k=4 d=64"
  explicit NotCompiled(const std::string& shape)
      : Unsupported(shape + ": not compiled; cmake -D" + std::string(kAllShapesOption) +
                    "=ON compiles all shapes") {}
};

}  // namespace gpuseq
