#pragma once

#include <dlfcn.h>

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace gpuseq::cuda {

/// The software that a library belongs to. It determines where the library is searched.
enum class Origin {
  toolkit,  // NVRTC, CUPTI: NVIDIA's wheels next to the installed package, in $VIRTUAL_ENV and in the
            // environment of $GPUSEQ_PYTHON; then $CUDA_HOME, the toolkit of the build, that of the nvcc on
            // $PATH, /usr/local/cuda; then the loader's path
  driver,   // libcuda, NVML: the loader's path, then where containers and WSL mount the driver
};
std::vector<std::filesystem::path> library_folders(Origin origin);

/// A library opened at run time. It stays open until the process ends: driver libraries have their own
/// threads, and unloading them is not supported.
class SharedLibrary {
 public:
  /// Opens the first of `names` in the first place of `origin` that has one.
  /// @throws CudaError with the searched names and places
  SharedLibrary(Origin origin, std::initializer_list<const char*> names);

  /// Sets `function` to the address of `symbol`. @throws CudaError if the library has no such symbol
  template <typename Function>
  void bind(Function*& function, const char* symbol) const {
    function = reinterpret_cast<Function*>(require(symbol));
  }
  /// Like bind(), but leaves nullptr if an older library has no such symbol.
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

}  // namespace gpuseq::cuda
