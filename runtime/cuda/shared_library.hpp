#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace gpuseq::cuda {

/// A library opened at run time. It stays open until the process ends: driver libraries keep threads of their
/// own, and unloading them under those is not supported.
class SharedLibrary {
 public:
  /// Opens the first of `names` that is found by the loader or, failing that, in library_folders().
  /// @throws CudaError saying which names were looked for and where
  explicit SharedLibrary(std::initializer_list<const char*> names);

  /// Sets `function` to the address of `symbol`. @throws CudaError if the library has no such symbol
  template <typename Function>
  void bind(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(require(symbol));
  }
  /// As bind(), but leaves nullptr where an older library has no such symbol.
  template <typename Function>
  void bind_if_present(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(::dlsym(handle_, symbol));
  }
  /// The file that was opened, as the loader resolved it.
  const std::filesystem::path& path() const { return path_; }

 private:
  void* require(const char* symbol) const;
  void* handle_ = nullptr;
  std::filesystem::path path_;
};

/// Where CUDA's libraries are looked for after the loader's own path: $CUDA_HOME, the toolkit that the
/// program was built with, the toolkit of the nvcc on $PATH, /usr/local/cuda and the places of containers'
/// drivers.
std::vector<std::filesystem::path> library_folders();

}  // namespace gpuseq::cuda
