#pragma once

#include <stdexcept>
#include <string>

namespace gpuseq {

/// A wrong input of the user: an argument, a config, a file. The message names the value, its place and the
/// allowed values; the program prints it and exits with code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The machine cannot do the request (no such device, not enough memory, a full disk).
struct ResourceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A state needs more memory than the device has: the state is skipped with this reason.
struct DoesNotFit : ResourceError {
  using ResourceError::ResourceError;
};

}  // namespace gpuseq
