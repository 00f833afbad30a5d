#include <fmt/core.h>
#include <nvrtc.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "runtime/cuda/cubin_cache.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"
#include "runtime/cuda/shared_library.hpp"
#include "runtime/system/seconds_since.hpp"

namespace gpuseq::cuda {
namespace {

struct NvrtcApi {
  decltype(&::nvrtcGetErrorString) get_error_string;
  decltype(&::nvrtcVersion) version;
  decltype(&::nvrtcGetNumSupportedArchs) get_num_supported_archs;
  decltype(&::nvrtcGetSupportedArchs) get_supported_archs;
  decltype(&::nvrtcCreateProgram) create_program;
  decltype(&::nvrtcDestroyProgram) destroy_program;
  decltype(&::nvrtcCompileProgram) compile_program;
  decltype(&::nvrtcGetProgramLogSize) get_program_log_size;
  decltype(&::nvrtcGetProgramLog) get_program_log;
  decltype(&::nvrtcGetCUBINSize) get_cubin_size;
  decltype(&::nvrtcGetCUBIN) get_cubin;
};

NvrtcApi bind_nvrtc() {
  const SharedLibrary library(Origin::toolkit, {"libnvrtc.so.13", "libnvrtc.so.12"});
  NvrtcApi api{};
  library.bind(api.get_error_string, "nvrtcGetErrorString");
  library.bind(api.version, "nvrtcVersion");
  library.bind(api.get_num_supported_archs, "nvrtcGetNumSupportedArchs");
  library.bind(api.get_supported_archs, "nvrtcGetSupportedArchs");
  library.bind(api.create_program, "nvrtcCreateProgram");
  library.bind(api.destroy_program, "nvrtcDestroyProgram");
  library.bind(api.compile_program, "nvrtcCompileProgram");
  library.bind(api.get_program_log_size, "nvrtcGetProgramLogSize");
  library.bind(api.get_program_log, "nvrtcGetProgramLog");
  library.bind(api.get_cubin_size, "nvrtcGetCUBINSize");
  library.bind(api.get_cubin, "nvrtcGetCUBIN");
  return api;
}

const NvrtcApi& nvrtc() {
  static const NvrtcApi api = bind_nvrtc();
  return api;
}

void check_nvrtc(nvrtcResult status, const char* call) {
  if (status != NVRTC_SUCCESS) throw CudaError(std::string(call) + ": " + nvrtc().get_error_string(status));
}

std::string version_text() {
  int major = 0, minor = 0;
  check_nvrtc(nvrtc().version(&major, &minor), "nvrtcVersion");
  return fmt::format("{}.{}", major, minor);
}

/// A program under compilation.
class Program {
 public:
  explicit Program(const KernelSource& source) {
    std::vector<const char*> names, texts;
    for (const auto& [name, text] : source.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    const std::string file = source.name + ".cu";
    check_nvrtc(nvrtc().create_program(&program_, source.text.c_str(), file.c_str(),
                                       static_cast<int>(names.size()), texts.data(), names.data()),
                "nvrtcCreateProgram");
  }
  ~Program() { nvrtc().destroy_program(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const std::vector<std::string>& options) {
    std::vector<const char*> texts(options.size());
    std::ranges::transform(options, texts.begin(), &std::string::c_str);
    return nvrtc().compile_program(program_, static_cast<int>(texts.size()), texts.data());
  }
  std::string log() const {
    std::size_t size = 0;  // with the final NUL
    check_nvrtc(nvrtc().get_program_log_size(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    check_nvrtc(nvrtc().get_program_log(program_, text.data()), "nvrtcGetProgramLog");
    text.resize(text.find_last_not_of(std::string_view("\0\n", 2)) + 1);
    return text;
  }
  std::string cubin() const {
    std::size_t size = 0;
    check_nvrtc(nvrtc().get_cubin_size(program_, &size), "nvrtcGetCUBINSize");
    std::string bytes(size, '\0');
    check_nvrtc(nvrtc().get_cubin(program_, bytes.data()), "nvrtcGetCUBIN");
    return bytes;
  }

 private:
  nvrtcProgram program_ = nullptr;
};

/// Our options, then the source's own. A real architecture (sm_, not compute_) makes NVRTC run ptxas. A
/// source with architecture-specific instructions is compiled for that architecture ("sm_90a").
std::vector<std::string> options_of(const KernelSource& source, std::string_view architecture) {
  const bool own = source.own_architecture == fmt::format("{}a", architecture);
  std::vector<std::string> options{
      fmt::format("--gpu-architecture={}", own ? source.own_architecture : architecture),
      "--ptxas-options=-v"};
  const auto names_standard = [](const std::string& option) {
    return option.starts_with("-std") || option.starts_with("--std");
  };
  if (std::none_of(source.options.begin(), source.options.end(), names_standard))
    options.emplace_back("--std=c++20");
  options.insert(options.end(), source.options.begin(), source.options.end());
  return options;
}

/// All inputs of the cubin. Each is preceded by its length, so that different inputs have different keys.
std::string key_of(const KernelSource& source, const std::vector<std::string>& options) {
  std::string key;
  const auto add = [&key](std::string_view piece) { key += fmt::format("{}\n{}\n", piece.size(), piece); };
  add("nvrtc " + version_text());
  add(source.name);
  add(source.text);
  add(std::to_string(source.headers.size()));
  for (const auto& [name, text] : source.headers) {
    add(name);
    add(text);
  }
  for (const std::string& option : options) add(option);
  return key;
}

Compiled compile_anew(const KernelSource& source, const std::vector<std::string>& options) {
  const auto start = std::chrono::steady_clock::now();
  Program program(source);
  const nvrtcResult status = program.compile(options);
  Compiled compiled;
  compiled.log = program.log();
  if (status != NVRTC_SUCCESS)
    throw CudaError(fmt::format("{} does not compile with {}: {}\n{}", source.name, options.front(),
                                nvrtc().get_error_string(status), compiled.log));
  compiled.cubin = program.cubin();
  // An entry's code is in a section of this name: this finds a misspelt or removed entry without a GPU.
  if (compiled.cubin.find(".text." + source.name + '\0') == std::string::npos)
    throw CudaError(
        fmt::format("the source of {} has no extern \"C\" __global__ function of this name", source.name));
  compiled.resources = kernel_resources(compiled.cubin, compiled.log, source.name);
  compiled.resources.compiled_by = "nvrtc";
  compiled.resources.compile_s = seconds_since(start);
  return compiled;
}

}  // namespace

Compiled compile(const KernelSource& source, std::string_view architecture,
                 const std::filesystem::path& cache_dir) {
  const std::vector<std::string> options = options_of(source, architecture);
  const std::string key = key_of(source, options);
  const CubinCache cache(cache_dir);
  std::string refusal;
  if (std::optional<Compiled> kept = cache.find(key, refusal)) return *std::move(kept);
  Compiled compiled = compile_anew(source, options);
  compiled.cache_problem = cache.keep(key, compiled);
  if (!refusal.empty()) compiled.cache_problem = refusal;
  return compiled;
}

Maybe<std::string> nvrtc_version() {
  try {
    return {version_text(), {}};
  } catch (const CudaError& error) {
    return {std::nullopt, error.what()};
  }
}

std::vector<std::string> nvrtc_architectures() {
  int count = 0;
  check_nvrtc(nvrtc().get_num_supported_archs(&count), "nvrtcGetNumSupportedArchs");
  std::vector<int> numbers(static_cast<std::size_t>(count));
  check_nvrtc(nvrtc().get_supported_archs(numbers.data()), "nvrtcGetSupportedArchs");
  std::vector<std::string> names(numbers.size());
  std::ranges::transform(numbers, names.begin(), [](int number) { return fmt::format("sm_{}", number); });
  return names;
}

}  // namespace gpuseq::cuda
