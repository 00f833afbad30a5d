#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/nvml.hpp"
#include "runtime/cuda/shared_library.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::cuda {
namespace {

using testing::Contains;
using testing::HasSubstr;

TEST(SharedLibrary, AMissingOneIsNamedWithThePlacesWhereItWasLookedFor) {
  try {
    SharedLibrary library(Origin::toolkit, {"libno_such_thing.so.2", "libno_such_thing.so.1"});
    FAIL() << library.path();
  } catch (const CudaError& error) {
    EXPECT_THAT(error.what(), HasSubstr("libno_such_thing.so.2, libno_such_thing.so.1"));
    EXPECT_THAT(error.what(), HasSubstr("/lib64"));
  }
}

TEST(SharedLibrary, TheSecondNameIsTakenWhereTheFirstIsMissing) {
  const SharedLibrary library(Origin::driver, {"libno_such_thing.so.1", "libc.so.6"});
  EXPECT_THAT(library.path().string(), HasSubstr("libc.so.6"));
  int (*no_function)() = nullptr;
  EXPECT_THROW(library.bind(no_function, "no_such_function"), CudaError);
  library.bind_if_present(no_function, "no_such_function");
  EXPECT_EQ(no_function, nullptr);
}

TEST(SharedLibrary, WheelsComeBeforeCudaHome) {
  const TemporaryFolder environment;
  const std::filesystem::path wheel = environment.path() / "lib/python3.11/site-packages/nvidia/cu13/lib";
  std::filesystem::create_directories(wheel);
  ::setenv("VIRTUAL_ENV", environment.path().c_str(), 1);
  ::setenv("CUDA_HOME", "/a/toolkit", 1);
  const std::vector<std::filesystem::path> folders = library_folders(Origin::toolkit);
  EXPECT_EQ(folders.at(0), wheel);
  EXPECT_EQ(folders.at(1), "/a/toolkit/lib64");
  EXPECT_THAT(folders, Contains("/a/toolkit/extras/CUPTI/lib64"));
  ::unsetenv("VIRTUAL_ENV");
  ::unsetenv("CUDA_HOME");
  EXPECT_THAT(library_folders(Origin::toolkit), testing::Not(Contains("/a/toolkit/lib64")));
}

TEST(DeviceCount, IsPositiveOrHasAReason) {
  const Maybe<int> count = device_count();
  if (count.value) {
    EXPECT_GT(*count.value, 0);
  } else {
    EXPECT_NE(count.reason, "");
  }
}

TEST(CudaDeviceOrdinal, OneThatDoesNotExistIsAUsageErrorThatNamesIt) {
  for (const int ordinal : {-1, 4096}) {
    try {
      CudaDevice device(ordinal);
      FAIL() << ordinal;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr("cuda:" + std::to_string(ordinal)));
    }
  }
}

TEST(Nvml, ADeviceThatItDoesNotHaveGivesReasonsAndNoValues) {
  const NvmlDevice device("0000:FF:1F.7");
  EXPECT_FALSE(device.clock_mhz(NvmlDevice::Clock::sm).value);
  EXPECT_NE(device.clock_mhz(NvmlDevice::Clock::sm).reason, "");
  EXPECT_NE(device.max_clock_mhz(NvmlDevice::Clock::memory).reason, "");
  EXPECT_NE(device.energy_j().reason, "");
  EXPECT_NE(device.power_w().reason, "");
  EXPECT_NE(device.power_limit_w().reason, "");
  EXPECT_NE(device.ecc().reason, "");
  EXPECT_NE(device.mig().reason, "");
  EXPECT_NE(device.persistence().reason, "");
  EXPECT_NE(device.driver_version().reason, "");
}

/// Loads the fake NVML, whose name the program finds among the loaded libraries.
void load_fake_nvml() {
  const auto library =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / "fake_gpus/libnvidia-ml.so.1";
  ASSERT_NE(::dlopen(library.c_str(), RTLD_NOW), nullptr) << ::dlerror();
}

TEST(MigSlice, HasNoEnergyOfItsOwn) {
  load_fake_nvml();
  const NvmlDevice slice("0000:01:00.0");
  EXPECT_EQ(slice.mig().value, true);
  EXPECT_THAT(slice.energy_j().reason, HasSubstr("MIG slice"));
  EXPECT_THAT(slice.power_w().reason, HasSubstr("MIG slice"));
}

TEST(MigSlice, WholeGpusHaveTheirEnergy) {
  load_fake_nvml();
  ::setenv("FAKE_MIG", "0", 1);
  const NvmlDevice whole("0000:01:00.0");
  EXPECT_EQ(whole.mig().value, false);
  EXPECT_EQ(whole.energy_j().value, 7);
  EXPECT_EQ(whole.power_w().value, 300);
  ::unsetenv("FAKE_MIG");
}

}  // namespace
}  // namespace gpuseq::cuda
