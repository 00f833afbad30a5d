#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numeric>
#include <vector>

#include "runtime/contract/errors.hpp"
#include "runtime/cuda/cuda.hpp"

namespace gpuseq::cuda {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::size_t kGiB = std::size_t{1} << 30;

/// Cases that need no kernel.
class CudaDeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto count = device_count(); !count.value) GTEST_SKIP() << count.reason;
    device = std::make_unique<CudaDevice>(0);
  }
  std::unique_ptr<CudaDevice> device;
};

/// Cases that compile one.
class CudaKernelTest : public CudaDeviceTest {
 protected:
  void SetUp() override {
    CudaDeviceTest::SetUp();
    if (IsSkipped()) return;
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  }
  std::shared_ptr<Kernel> load(const std::string& name, const std::string& text) {
    return device->load({.name = name, .text = text, .headers = {}, .options = {}}, {});
  }
  /// out[i] = 3 * i + bias
  std::shared_ptr<Kernel> affine() {
    return load("affine", R"(
extern "C" __global__ void affine(unsigned* out, unsigned n, unsigned bias) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 3 * i + bias;
})");
  }
};

std::vector<std::byte> pattern(std::size_t bytes, unsigned seed) {
  std::vector<std::byte> result(bytes);
  for (std::size_t i = 0; i < bytes; ++i) result[i] = static_cast<std::byte>((i * 131 + seed) >> 3);
  return result;
}

TEST_F(CudaDeviceTest, DescribesItselfWithAReasonForEveryNull) {
  const nlohmann::json description = device->describe();
  EXPECT_EQ(description.at("id"), "cuda:0");
  EXPECT_EQ(description.at("kind"), "cuda");
  EXPECT_NE(description.at("name"), "");
  EXPECT_THAT(description.at("uuid").get<std::string>(), StartsWith("GPU-"));
  EXPECT_EQ(description.at("uuid").get<std::string>().size(), 40u);
  EXPECT_THAT(device->architecture(), StartsWith("sm_"));
  EXPECT_GT(description.at("multiprocessors"), 0);
  EXPECT_GT(description.at("memory_bytes"), kGiB);
  for (const char* key : {"sm_clock_mhz", "max_sm_clock_mhz", "memory_clock_mhz", "driver_version", "ecc",
                          "mig", "persistence", "power_limit_w", "nvrtc_version", "toolkit_version",
                          "l2_bytes", "pci_bus_id", "cuda_driver_api_version", "compute_capability"})
    EXPECT_TRUE(description.contains(key)) << key;
  for (const auto& [key, value] : description.items())
    EXPECT_TRUE(!value.is_null() || description.value(key + "_reason", "") != "") << key;
}

TEST_F(CudaDeviceTest, WhatIsUploadedAtAnOffsetIsDownloadedFromIt) {
  DeviceBuffer buffer(*device, 100'000);
  buffer.fill(0xab);
  const auto sent = pattern(1000, 7);
  buffer.upload(sent, 4321);
  std::vector<std::byte> received(1002);
  buffer.download(received, 4320);
  EXPECT_EQ(received.front(), std::byte{0xab});
  EXPECT_EQ(received.back(), std::byte{0xab});
  EXPECT_TRUE(std::equal(sent.begin(), sent.end(), received.begin() + 1));
}

TEST_F(CudaDeviceTest, OffsetsBeyondFourGigabytesAreKept) {
  const std::size_t bytes = 5 * kGiB;
  if (device->free_bytes() < bytes) GTEST_SKIP() << "only " << device->free_bytes() << " bytes are free";
  DeviceBuffer buffer(*device, bytes);
  // Offsets that are equal in their low 32 bits.
  const auto low = pattern(1 << 20, 1), high = pattern(1 << 20, 2);
  const std::size_t offset = 12'345;
  buffer.upload(low, offset);
  buffer.upload(high, 4 * kGiB + offset);
  std::vector<std::byte> received(1 << 20);
  buffer.download(received, offset);
  EXPECT_EQ(received, low);
  buffer.download(received, 4 * kGiB + offset);
  EXPECT_EQ(received, high);
}

TEST_F(CudaDeviceTest, OneCopyOfMoreThanFourGigabytesArrivesWhole) {
  const std::size_t bytes = 4 * kGiB + (1 << 20);
  const auto host_free = static_cast<std::size_t>(::sysconf(_SC_AVPHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
  if (host_free < 2 * bytes) GTEST_SKIP() << "only " << host_free << " bytes of host memory are free";
  if (device->free_bytes() < bytes) GTEST_SKIP() << "only " << device->free_bytes() << " bytes are free";
  std::vector<std::uint64_t> numbers(bytes / sizeof(std::uint64_t));
  std::iota(numbers.begin(), numbers.end(), std::uint64_t{0});
  DeviceBuffer buffer(*device, bytes);
  buffer.upload(std::as_bytes(std::span(numbers)));
  std::fill(numbers.begin(), numbers.end(), 0);
  buffer.download(std::as_writable_bytes(std::span(numbers)));
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) wrong += numbers[i] != i;
  EXPECT_EQ(wrong, 0u);
}

TEST_F(CudaDeviceTest, CopiesThatLeaveTheBufferAreRefused) {
  DeviceBuffer buffer(*device, 100);
  std::array<std::byte, 60> host{};
  EXPECT_THROW(buffer.upload(host, 41), std::out_of_range);
  EXPECT_THROW(buffer.download(host, 41), std::out_of_range);
  EXPECT_THROW(buffer.download(host, std::numeric_limits<std::size_t>::max()), std::out_of_range);
  EXPECT_NO_THROW(buffer.upload(host, 40));
}

TEST_F(CudaDeviceTest, AMovedBufferOwnsTheMemory) {
  DeviceBuffer first(*device, 64);
  const CUdeviceptr address = first.address();
  DeviceBuffer second = std::move(first);
  EXPECT_EQ(second.address(), address);
  EXPECT_EQ(second.size(), 64u);
  EXPECT_EQ(first.address(), 0u);
  EXPECT_EQ(DeviceBuffer(*device, 0).address(), 0u);
}

TEST_F(CudaDeviceTest, AnAllocationThatIsTooLargeDoesNotFitAndSaysTheSizes) {
  const std::size_t bytes = device->total_bytes() + 1;
  try {
    DeviceBuffer buffer(*device, bytes);
    FAIL() << "it fitted";
  } catch (const DoesNotFit& error) {
    EXPECT_THAT(error.what(), HasSubstr(std::to_string(bytes)));
    EXPECT_THAT(error.what(), HasSubstr("cuda:0"));
  }
  EXPECT_THROW(DeviceBuffer(*device, std::numeric_limits<std::size_t>::max()), DoesNotFit);
}

TEST_F(CudaDeviceTest, AllThatIsSaidToBeFreeCanBeTakenAndTheCachesCanStillBeFlushed) {
  const DeviceBuffer all(*device, device->free_bytes());
  EXPECT_NO_THROW(device->flush_caches());
  EXPECT_LT(device->free_bytes(), 64u << 20);
}

TEST_F(CudaDeviceTest, NvmlValuesArePlausibleOrHaveAReason) {
  const auto clock = device->clock_mhz(), max_clock = device->max_clock_mhz();
  const auto energy = device->energy_j(), power = device->power_w();
  for (const auto* maybe : {&clock, &max_clock, &energy, &power})
    EXPECT_NE(maybe->value.has_value(), !maybe->reason.empty());
  if (max_clock.value) {
    EXPECT_GT(*max_clock.value, 300);
    EXPECT_LT(*max_clock.value, 10'000);
  }
  if (clock.value && max_clock.value) {
    EXPECT_GT(*clock.value, 0);
    EXPECT_LE(*clock.value, *max_clock.value);
  }
  EXPECT_GE(device->energy_j().value.value_or(0), energy.value.value_or(0));
  if (power.value) {
    EXPECT_GT(*power.value, 1);
    EXPECT_LT(*power.value, 3000);
  }
}

TEST_F(CudaDeviceTest, AnImageThatIsNoDeviceCodeIsAnError) {
  EXPECT_THROW(Kernel(*device, "no cubin", "entry"), CudaError);
  EXPECT_THROW(Kernel(*device, "", "entry"), CudaError);
}

TEST_F(CudaKernelTest, AKernelComputesWhatItsSourceSays) {
  const auto kernel = affine();
  const unsigned n = 100'001;
  DeviceBuffer out(*device, n * sizeof(unsigned));
  auto* address = out.as<unsigned>();
  unsigned count = n, bias = 17;
  std::array<void*, 3> arguments{&address, &count, &bias};
  kernel->launch((n + 255) / 256, 256, 0, arguments);
  std::vector<unsigned> result(n);
  out.download(std::as_writable_bytes(std::span(result)));
  std::size_t wrong = 0;
  for (unsigned i = 0; i < n; ++i) wrong += result[i] != 3 * i + 17;
  EXPECT_EQ(wrong, 0u);
}

TEST_F(CudaKernelTest, ResourcesComeFromTheCompilerAndTheOccupancyCalculator) {
  const auto kernel = affine();
  const Resources resources = kernel->resources(1000, 256, 512);
  EXPECT_GT(resources.registers_per_thread, 0);
  EXPECT_LT(resources.registers_per_thread, 64);
  EXPECT_EQ(resources.spill_bytes, 0);
  EXPECT_EQ(resources.shared_bytes, 512);
  EXPECT_EQ(resources.threads_per_block, 256);
  EXPECT_EQ(resources.blocks, 1000);
  EXPECT_EQ(resources.compiled_by, "nvrtc");
  EXPECT_FALSE(resources.from_cache);
  EXPECT_GT(resources.occupancy, 0.9);
  EXPECT_LE(resources.occupancy, 1.0);
  EXPECT_GE(kernel->resident_blocks(256, 0), kernel->resident_blocks(1024, 0));
}

TEST_F(CudaKernelTest, TheSecondLoadTakesTheCubinFromTheCache) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("gpuseq_load_test_" + std::to_string(::getpid()));
  const KernelSource source{
      .name = "nothing", .text = "extern \"C\" __global__ void nothing() {}", .headers = {}, .options = {}};
  EXPECT_FALSE(device->load(source, folder)->resources(1, 32, 0).from_cache);
  EXPECT_TRUE(device->load(source, folder)->resources(1, 32, 0).from_cache);
  std::filesystem::remove_all(folder);
}

TEST_F(CudaKernelTest, EventsTimeTheWorkByTheDevicesOwnClock) {
  const auto kernel = load("spin", R"(
extern "C" __global__ void spin(unsigned long long ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now)); while (now - start < ns);
})");
  unsigned long long ns = 10'000'000;
  std::array<void*, 1> arguments{&ns};
  const double elapsed_s = device->time_s([&] { kernel->launch(1, 32, 0, arguments); });
  EXPECT_GT(elapsed_s, 0.008);  // the timer may tick as rarely as every millisecond
  EXPECT_LT(elapsed_s, 10);
  EXPECT_GE(device->time_s([] {}), 0);
}

TEST_F(CudaDeviceTest, IsKeptBusyForAtLeastTheTimeAskedFor) {
  EXPECT_GE(device->time_s([&] { device->keep_busy(2e-3); }), 2e-3);
}

TEST_F(CudaKernelTest, ALaunchThatTheDeviceCannotDoIsAnErrorAndLeavesItUsable) {
  const auto kernel = affine();
  DeviceBuffer out(*device, 4096);
  auto* address = out.as<unsigned>();
  unsigned count = 1, bias = 5;
  std::array<void*, 3> arguments{&address, &count, &bias};
  EXPECT_THROW(kernel->launch(1, 4096, 0, arguments), CudaError);
  EXPECT_THROW(kernel->launch(0, 32, 0, arguments), CudaError);
  EXPECT_THROW(kernel->launch(1, 32, 1u << 30, arguments), CudaError);
  EXPECT_THROW(device->time_s([&] { kernel->launch(1, 4096, 0, arguments); }), CudaError);
  EXPECT_NO_THROW(device->time_s([&] { kernel->launch(1, 32, 0, arguments); }));
  std::array<unsigned, 1> result{};
  out.download(std::as_writable_bytes(std::span(result)));
  EXPECT_EQ(result[0], 5u);
}

TEST_F(CudaKernelTest, DynamicSharedMemoryCanBeRaisedToTheDevicesLimitAndNoFurther) {
  const auto kernel = load("reverse", R"(
extern "C" __global__ void reverse(unsigned* out, unsigned last) {
  extern __shared__ unsigned words[];
  words[last - threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = words[last - 255 + threadIdx.x];
})");
  const auto limit =
      static_cast<unsigned>(device->attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  EXPECT_THROW(kernel->allow_shared_bytes(limit + 1), DoesNotFit);
  kernel->allow_shared_bytes(limit);
  DeviceBuffer out(*device, 256 * sizeof(unsigned));
  auto* address = out.as<unsigned>();
  unsigned last = limit / sizeof(unsigned) - 1;
  std::array<void*, 2> arguments{&address, &last};
  kernel->launch(1, 256, limit, arguments);
  std::array<unsigned, 256> result{};
  out.download(std::as_writable_bytes(std::span(result)));
  std::array<unsigned, 256> expected{};
  std::iota(expected.rbegin(), expected.rend(), 0u);
  EXPECT_EQ(result, expected);
}

TEST_F(CudaKernelTest, CountersCountTheWorkOrSayWhyNot) {
  const auto kernel = affine();
  const unsigned n = 1u << 20;
  DeviceBuffer out(*device, n * sizeof(unsigned));
  auto* address = out.as<unsigned>();
  unsigned count = n, bias = 1;
  std::array<void*, 3> arguments{&address, &count, &bias};
  int runs = 0;
  const auto counted = device->count({"sm__inst_executed.sum", "lts__t_sectors.sum"}, [&] {
    ++runs;
    kernel->launch(n / 256, 256, 0, arguments);
  });
  if (!counted.value) {
    EXPECT_NE(counted.reason, "");
    GTEST_SKIP() << counted.reason;
  }
  EXPECT_GT(runs, 0);
  const double warps = n / 32.0;
  EXPECT_GT(counted.value->at("sm__inst_executed.sum"), 4 * warps);
  EXPECT_LT(counted.value->at("sm__inst_executed.sum"), 100 * warps);
  EXPECT_GE(counted.value->at("lts__t_sectors.sum"), n * sizeof(unsigned) / 32.0);
  const auto again =
      device->count({"sm__inst_executed.sum"}, [&] { kernel->launch(n / 256, 256, 0, arguments); });
  ASSERT_TRUE(again.value) << again.reason;
  EXPECT_NEAR(again.value->at("sm__inst_executed.sum") / counted.value->at("sm__inst_executed.sum"), 1, 0.01);
}

TEST_F(CudaKernelTest, DefaultMetricsCanBeCountedTogether) {
  const auto metrics = device->default_metrics();
  if (metrics.empty()) GTEST_SKIP() << device->count({"sm__inst_executed.sum"}, [] {}).reason;
  const auto kernel = affine();
  DeviceBuffer out(*device, 4096);
  auto* address = out.as<unsigned>();
  unsigned count = 1024, bias = 1;
  std::array<void*, 3> arguments{&address, &count, &bias};
  const auto counted = device->count(metrics, [&] { kernel->launch(4, 256, 0, arguments); });
  if (!counted.value) GTEST_SKIP() << counted.reason;
  EXPECT_EQ(counted.value->size(), metrics.size()) << counted.reason;
}

TEST_F(CudaDeviceTest, AMetricThatDoesNotExistIsNamedInTheReason) {
  if (device->default_metrics().empty())
    GTEST_SKIP() << device->count({"sm__inst_executed.sum"}, [] {}).reason;
  const auto counted = device->count({"sm__inst_executed.sum", "no_such_metric.sum"}, [] {});
  EXPECT_FALSE(counted.value);
  EXPECT_THAT(counted.reason, HasSubstr("no_such_metric.sum"));
}

TEST_F(CudaDeviceTest, AnErrorOfTheCountedWorkPassesThroughAndCountingGoesOn) {
  if (device->default_metrics().empty())
    GTEST_SKIP() << device->count({"sm__inst_executed.sum"}, [] {}).reason;
  const auto fail = []() -> void { throw UsageError("from the work"); };
  try {
    const auto counted = device->count({"sm__inst_executed.sum"}, fail);
    GTEST_SKIP() << counted.reason;
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(), "from the work");
  }
  EXPECT_NO_THROW(device->synchronize());
  const auto counted = device->count({"sm__inst_executed.sum"}, [&] { device->flush_caches(); });
  EXPECT_TRUE(counted.value) << counted.reason;
}

}  // namespace
}  // namespace gpuseq::cuda
