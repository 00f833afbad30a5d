#pragma once

#include "runtime/contract/errors.hpp"

namespace gpuseq {

/// A variant does not support the data, or not at this point; the message names the supported data. The
/// state is skipped. If only this state was requested, as in `exec`, the arguments are wrong and the program
/// exits with code 2.
struct Unsupported : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace gpuseq
