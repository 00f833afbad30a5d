#pragma once

#include <stdexcept>
#include <string>

namespace gpuseq {

/// What the user gave is wrong: an argument, a config, a file. The message says what, where and what is
/// allowed; the program prints it and exits with code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The machine cannot do what was asked (no such device, not enough memory, a full disk).
struct ResourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A state needs more memory than the device offers: the state is skipped with this reason.
struct DoesNotFit : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace gpuseq
