#include "runtime/cuda/shared_library.hpp"

#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {
namespace {

namespace fs = std::filesystem;

/// The folder above the bin/ with the first nvcc on $PATH, or an empty path.
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

/// Folders of NVIDIA's wheels in the active Python environments: of CUDA 13, then of 12.
std::vector<fs::path> wheel_folders() {
  std::vector<fs::path> environments, folders;
  if (const char* given = std::getenv("VIRTUAL_ENV"); given != nullptr) environments.emplace_back(given);
  if (const char* python = std::getenv("GPUSEQ_PYTHON"); python != nullptr)
    environments.push_back(fs::path(python).parent_path().parent_path());
  for (const fs::path& environment : environments) {
    std::error_code error;
    for (fs::directory_iterator version(environment / "lib", error), end; !error && version != end;
         version.increment(error))
      for (const char* wheel : {"cu13/lib", "cuda_nvrtc/lib", "cuda_cupti/lib"}) {
        const fs::path folder = version->path() / "site-packages" / "nvidia" / wheel;
        std::error_code none;
        if (fs::is_directory(folder, none)) folders.push_back(folder);
      }
  }
  return folders;
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
  const std::vector<fs::path> wheels = wheel_folders();
  folders.insert(folders.end(), wheels.begin(), wheels.end());
  return folders;
}

SharedLibrary::SharedLibrary(Origin origin, std::initializer_list<const char*> names) {
  const std::vector<fs::path> folders = library_folders(origin);
  std::vector<std::string> broken;  // existing files that the loader rejects
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
