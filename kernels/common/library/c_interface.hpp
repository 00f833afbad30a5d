#pragma once

#include <fmt/format.h>

#include <exception>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/device/host_device.cuh"

// The common part of exported libraries' functions for C programs.

namespace gpuseq::library {

/// The result of such a function; headers of libraries use the same numbers.
enum class Status : int { ok = 0, wrong_argument = 1, refused_file = 2, no_resource = 3, failed = 4 };

/// A file that is damaged, malicious, or of another format or index.
struct RefusedFile : UsageError {
  using UsageError::UsageError;
};

/// The message of the calling thread's last call that did not return ok.
inline std::string& last_message() {
  thread_local std::string message;
  return message;
}

inline Status failed(Status status, const char* message) noexcept {
  try {
    last_message() = message;
  } catch (...) {
    last_message().clear();
  }
  return status;
}

/// Calls `work` and converts its exceptions into a status and a message: no exception reaches a C program.
template <class Work>
Status guarded(const Work& work) noexcept {
  try {
    last_message().clear();
    work();
    return Status::ok;
  } catch (const RefusedFile& error) {
    return failed(Status::refused_file, error.what());
  } catch (const UsageError& error) {
    return failed(Status::wrong_argument, error.what());
  } catch (const ResourceError& error) {
    return failed(Status::no_resource, error.what());
  } catch (const std::bad_alloc&) {
    return failed(Status::no_resource, "no memory");
  } catch (const std::exception& error) {
    return failed(Status::failed, error.what());
  } catch (...) {
    return failed(Status::failed, "unknown error");
  }
}

/// @throws UsageError naming the argument
inline void require_argument(bool holds, const char* what) {
  if (!holds) throw UsageError(what);
}

/// Checks the caller's offsets of sequences in letters: each begins where the previous one ends.
/// @param most  letters of a sequence; `allowed` describes the limit, `what` a sequence
/// @throws UsageError if offsets do not ascend, or a sequence is too long
inline void require_places(std::span<const u64> begin, u64 most, std::string_view what,
                           std::string_view allowed) {
  for (std::size_t i = 0; i + 1 < begin.size(); ++i) {
    if (begin[i] > begin[i + 1])
      throw UsageError(fmt::format("begin[{}]: found {}, allowed: at least begin[{}], {}", i + 1,
                                   begin[i + 1], i, begin[i]));
    if (begin[i + 1] - begin[i] > most)
      throw UsageError(
          fmt::format("{} {}: {} letters, allowed: {}", what, i, begin[i + 1] - begin[i], allowed));
  }
}

}  // namespace gpuseq::library
