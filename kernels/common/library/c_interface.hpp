#pragma once

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "runtime/contract/errors.hpp"

// What functions of exported libraries that C programs call have in common.

namespace gpuseq::library {

/// What such a function returns; headers of libraries have the same numbers.
enum class Status : int { ok = 0, wrong_argument = 1, refused_file = 2, no_resource = 3, failed = 4 };

/// A file that is damaged, of another format or index, or made to do harm.
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

/// Calls `work` and turns what it throws into a status and a message: no exception reaches a C program.
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

}  // namespace gpuseq::library
