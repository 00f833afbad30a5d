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

/// Folders of NVIDIA's wheels, of CUDA 13, then of 12: next to the package that this program was installed
/// with, then in the active Python environments.
std::vector<fs::path> wheel_folders() {
  std::vector<fs::path> environments, sites, folders;
  std::error_code error;
  // site-packages/gpuseq_bench/bin/gpuseq-bench
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (program.parent_path().filename() == "bin")
    sites.push_back(program.parent_path().parent_path().parent_path());
  if (const char* given = std::getenv("VIRTUAL_ENV"); given != nullptr) environments.emplace_back(given);
  if (const char* python = std::getenv("GPUSEQ_PYTHON"); python != nullptr)
    environments.push_back(fs::path(python).parent_path().parent_path());
  for (const fs::path& environment : environments)
    for (fs::directory_iterator version(environment / "lib", error), end; !error && version != end;
         version.increment(error))
      sites.push_back(version->path() / "site-packages");
  for (const fs::path& site : sites)
    for (const char* wheel : {"cu13/lib", "cuda_nvrtc/lib", "cuda_cupti/lib"}) {
      const fs::path folder = site / "nvidia" / wheel;
      if (fs::is_directory(folder, error) && std::ranges::find(folders, folder) == folders.end())
        folders.push_back(folder);
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

  std::vector<fs::path> folders = wheel_folders();
  for (const fs::path& toolkit : toolkits)
    for (const char* sub : {"lib64", "lib", "extras/CUPTI/lib64", "targets/x86_64-linux/lib"})
      folders.push_back(toolkit / sub);
  return folders;
}

SharedLibrary::SharedLibrary(Origin origin, std::initializer_list<const char*> names) {
  const std::vector<fs::path> folders = library_folders(origin);
  std::vector<std::string> broken;  // existing files that the loader rejects
  const auto open = [&](const fs::path& file) {
    handle_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr && file.has_parent_path()) broken.emplace_back(::dlerror());
    return handle_ != nullptr;
  };
  const auto open_in_folders = [&] {
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
      return std::ranges::any_of(names, [&](const char* name) {
        std::error_code error;
        return fs::exists(folder / name, error) && open(folder / name);
      });
    });
  };
  const auto open_by_loader = [&] { return std::ranges::any_of(names, open); };
  const bool opened = origin == Origin::driver ? open_by_loader() || open_in_folders()
                                               : open_in_folders() || open_by_loader();
  if (opened) {
    path_ = opened_file(handle_);
    return;
  }
  if (!broken.empty()) throw CudaError("cannot open " + join(broken));
  std::vector<std::string> places;
  for (const fs::path& folder : folders) places.push_back(folder.string());
  places.insert(origin == Origin::driver ? places.begin() : places.end(), "the loader's path");
  throw CudaError(join({names.begin(), names.end()}) + " not found (looked in " + join(places) + ")");
}

void* SharedLibrary::require(const char* symbol) const {
  void* address = ::dlsym(handle_, symbol);
  if (address == nullptr) throw CudaError(path_.string() + " has no " + symbol + ": it is too old");
  return address;
}

}  // namespace gpuseq::cuda
