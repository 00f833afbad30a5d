#pragma once

#include "runtime/contract/errors.hpp"

namespace gpuseq {

/// A variant does not do such data, or not at this point; the message says what it does. The state is
/// skipped. Who asked for this state alone, as `exec` does, gave wrong arguments: the program ends with
/// code 2.
struct Unsupported : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace gpuseq
