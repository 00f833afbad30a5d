#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "bench/commands/commands.hpp"
#include "bench/commands/doctor/doctor.hpp"
#include "bench/config/provenance.hpp"
#include "bench/tools/package.hpp"
#include "runtime/io/say.hpp"
#ifdef GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/shared_library.hpp"
#endif

namespace gpuseq::bench {
namespace {

namespace fs = std::filesystem;

#ifdef GPUSEQ_HAVE_CUDA
/// The file of a library of the toolkit, as the program opens it, behind its version where that is known.
Maybe<std::string> toolkit_library(std::initializer_list<const char*> names,
                                   const Maybe<std::string>& version) {
  try {
    const cuda::SharedLibrary library(cuda::Origin::toolkit, names);
    return {(version.value ? *version.value + ", " : "") + library.path().string(), {}};
  } catch (const cuda::CudaError& error) {
    return {std::nullopt, error.what()};
  }
}

Maybe<std::string> nvrtc_here() {
  return toolkit_library({"libnvrtc.so.13", "libnvrtc.so.12"}, cuda::nvrtc_version());
}

Maybe<std::string> cupti_here() {
#if defined(__SANITIZE_ADDRESS__)
  return {std::nullopt, "CUPTI cannot be used under the address sanitizer"};
#else
  return toolkit_library({"libcupti.so.13", "libcupti.so.12"}, {std::nullopt, {}});
#endif
}
#else
Maybe<std::string> nvrtc_here() {
  return {std::nullopt, "built without CUDA"};
}
Maybe<std::string> cupti_here() {
  return nvrtc_here();
}
#endif

ExaminedGpu gpu_here(const std::string& id) {
  const auto device = open_device(id);
  const nlohmann::json description = device->describe();
  return {
      .name = text_of(description, "name"),
      .driver_version = text_of(description, "driver_version"),
      .energy_j = device->energy_j(),
      .why_no_counters = device->count({"sm__inst_executed.sum"}, [&] { device->flush_caches(); }).reason};
}

/// The folder itself, or where it is to be made.
std::optional<std::uint64_t> free_bytes_of(fs::path folder) {
  std::error_code error;
  while (!fs::exists(folder, error) && folder.has_relative_path()) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  if (error || access(folder.c_str(), W_OK | X_OK) != 0) return std::nullopt;
  return space.available;
}

Maybe<fs::path> temporary_here() {
  std::error_code error;
  fs::path folder = fs::temp_directory_path(error);
  return error ? Maybe<fs::path>{std::nullopt, "TMPDIR: " + error.message()}
               : Maybe<fs::path>{std::move(folder), {}};
}

ExitCode doctor_command(bool json) {
  const std::vector<Finding> findings = examine(places_here());
  if (json)
    say("{}\n", Lines{findings_json(findings).dump(2, ' ', false, nlohmann::json::error_handler_t::replace)});
  else
    say("{}", Lines{findings_text(findings)});
  return can_measure(findings) ? ExitCode::fine : ExitCode::failed;
}

}  // namespace

Places places_here() {
  const fs::path python = package_python();
  std::error_code error;
  return {.build_type = build_info().build_type,
          .configs = source_root() / "configs",
          .runs = fs::current_path(error) / "runs",
          .python = python,
          .temporary = temporary_here(),
          .cache = default_cache_dir(),
          .devices = list_devices,
          .gpu = gpu_here,
          .nvrtc = nvrtc_here,
          .cupti = cupti_here,
          .topology = read_topology,
          .why_no_renderer = why_no_package,
          .free_bytes = free_bytes_of};
}

Action add_doctor(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Check this machine for measuring, with remedies. Exit code 1 if nothing can be measured");
  doctor->add_flag("--json", *json, "As JSON");
  return [json] { return doctor_command(*json); };
}

}  // namespace gpuseq::bench
