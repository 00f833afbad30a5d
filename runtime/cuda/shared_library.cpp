#include "runtime/cuda/shared_library.hpp"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {
namespace {

namespace fs = std::filesystem;

/// The folder above the bin/ that holds the first nvcc on $PATH, or an empty path.
fs::path toolkit_on_path() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", error);
    if (!error) return nvcc.parent_path().parent_path();
  }
  return {};
}

fs::path opened_file(void* handle) {
  link_map* map = nullptr;
  if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return {};
  return map->l_name;
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

std::vector<fs::path> library_folders(Origin origin) {
  if (origin == Origin::driver) return {"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib"};
  std::vector<fs::path> toolkits;
  const auto add = [&toolkits](const fs::path& toolkit) {
    std::error_code error;
    const fs::path real = fs::weakly_canonical(toolkit, error);
    if (std::find(toolkits.begin(), toolkits.end(), real) == toolkits.end()) toolkits.push_back(real);
  };
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') add(home);
  add(GPUSEQ_CUDA_ROOT);
  if (const fs::path toolkit = toolkit_on_path(); !toolkit.empty()) add(toolkit);
  add("/usr/local/cuda");

  std::vector<fs::path> folders;
  for (const fs::path& toolkit : toolkits)
    for (const char* sub : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"})
      folders.push_back(toolkit / sub);
  return folders;
}

SharedLibrary::SharedLibrary(Origin origin, std::initializer_list<const char*> names) {
  const std::vector<fs::path> folders = library_folders(origin);
  std::vector<std::string> broken;  // files that exist, but that the loader refuses
  for (const char* name : names) {
    handle_ = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    for (auto folder = folders.begin(); handle_ == nullptr && folder != folders.end(); ++folder) {
      const fs::path file = *folder / name;
      std::error_code error;
      if (!fs::exists(file, error)) continue;
      handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ == nullptr) broken.emplace_back(::dlerror());
    }
    if (handle_ != nullptr) {
      path_ = opened_file(handle_);
      return;
    }
  }
  if (!broken.empty()) throw CudaError("cannot open " + join(broken));
  std::vector<std::string> places{"the loader's path"};
  for (const fs::path& folder : folders) places.push_back(folder.string());
  throw CudaError(join({names.begin(), names.end()}) + " not found (looked in " + join(places) + ")");
}

void* SharedLibrary::require(const char* symbol) const {
  void* address = ::dlsym(handle_, symbol);
  if (address == nullptr) throw CudaError(path_.string() + " has no " + symbol + ": it is too old");
  return address;
}

}  // namespace gpuseq::cuda
