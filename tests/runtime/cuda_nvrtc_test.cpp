#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/cuda/cuda.hpp"
#include "runtime/cuda/kernel_resources.hpp"

namespace gpuseq::cuda {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class NvrtcTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto version = nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
    folder = fs::temp_directory_path() / ("gpuseq_nvrtc_test_" + std::to_string(::getpid()));
    fs::remove_all(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  /// The one file in the cache.
  fs::path cached_file() const {
    const fs::path file = *fs::directory_iterator(folder);
    return file;
  }
  fs::path folder;
};

/// A template over a policy type, its arithmetic in a header given in memory.
KernelSource templated_kernel() {
  return {.name = "sum_of_steps",
          .text = R"(
#include "steps/step.cuh"
struct Policy { static constexpr int steps = 8; };
template <typename P>
__device__ int run(const int* in) {
  int sum = 0;
  for (int i = 0; i < P::steps; ++i) sum += step(in[i * blockDim.x + threadIdx.x]);
  return sum;
}
extern "C" __global__ void sum_of_steps(int* out, const int* in) { out[threadIdx.x] = run<Policy>(in); }
)",
          .headers = {{"steps/step.cuh",
                       "#pragma once\n__device__ inline int step(int x) { return 3 * x + 1; }\n"}},
          .options = {}};
}

/// More live values than the registers that it is allowed.
KernelSource spilling_kernel() {
  return {.name = "spilling",
          .text = R"(
extern "C" __global__ void spilling(float* out, const float* in) {
  float v[96];
  #pragma unroll
  for (int i = 0; i < 96; ++i) v[i] = in[i * 1024 + threadIdx.x];
  __syncthreads();
  #pragma unroll
  for (int i = 0; i < 96; ++i) out[i * 1024 + threadIdx.x] = v[i] * v[(i * 7 + 3) % 96] + v[95 - i];
}
)",
          .headers = {},
          .options = {"--maxrregcount=24"},
          .may_spill = true};
}

class NvrtcArchitectureTest : public NvrtcTest, public testing::WithParamInterface<const char*> {};

TEST_P(NvrtcArchitectureTest, CompilesATemplatedKernelAndReadsItsResources) {
  const auto known = nvrtc_architectures();
  if (std::find(known.begin(), known.end(), GetParam()) == known.end())
    GTEST_SKIP() << "NVRTC " << *nvrtc_version().value << " does not compile for " << GetParam();
  const Compiled compiled = compile(templated_kernel(), GetParam(), {});
  EXPECT_TRUE(compiled.cubin.starts_with("\177ELF"));
  EXPECT_GT(compiled.resources.registers_per_thread, 4);
  EXPECT_LT(compiled.resources.registers_per_thread, 64);
  EXPECT_EQ(compiled.resources.spill_bytes, 0);
  EXPECT_EQ(compiled.resources.local_bytes, 0);
  EXPECT_EQ(compiled.resources.shared_bytes, 0);
  EXPECT_EQ(compiled.resources.compiled_by, "nvrtc");
  EXPECT_GT(compiled.resources.compile_s, 0);
  EXPECT_FALSE(compiled.resources.from_cache);
}

INSTANTIATE_TEST_SUITE_P(Every, NvrtcArchitectureTest,
                         testing::Values("sm_75", "sm_80", "sm_90", "sm_100", "sm_120"),
                         [](const auto& instance) { return std::string(instance.param); });

TEST_F(NvrtcTest, AKernelWithTooFewRegistersReportsItsSpills) {
  const Compiled compiled = compile(spilling_kernel(), "sm_90", {});
  EXPECT_GT(compiled.resources.spill_bytes, 0) << compiled.log;
  EXPECT_GT(compiled.resources.local_bytes, 0) << compiled.log;
}

TEST_F(NvrtcTest, StaticSharedMemoryIsReported) {
  const KernelSource source{.name = "shared",
                            .text =
                                "extern \"C\" __global__ void shared(int* out) { __shared__ int s[256]; "
                                "s[threadIdx.x] = out[threadIdx.x];"
                                " __syncthreads(); out[threadIdx.x] = s[threadIdx.x ^ 1]; }",
                            .headers = {},
                            .options = {}};
  EXPECT_EQ(compile(source, "sm_80", {}).resources.shared_bytes, 1024);
}

TEST_F(NvrtcTest, ASourceThatDoesNotCompileGivesTheCompilersLog) {
  KernelSource source = templated_kernel();
  source.text += "__device__ int broken() { return undeclared_name; }";
  try {
    compile(source, "sm_90", folder);
    FAIL() << "it compiled";
  } catch (const CudaError& error) {
    EXPECT_THAT(error.what(), HasSubstr("undeclared_name"));
    EXPECT_THAT(error.what(), HasSubstr("sum_of_steps"));
  }
  EXPECT_FALSE(fs::exists(folder)) << "a failure must not be cached";
}

TEST_F(NvrtcTest, AnArchitectureThatDoesNotExistIsAnError) {
  EXPECT_THROW(compile(templated_kernel(), "sm_11", {}), CudaError);
  EXPECT_THROW(compile(templated_kernel(), "hopper", {}), CudaError);
}

TEST_F(NvrtcTest, AnEntryThatTheSourceLacksIsAnError) {
  KernelSource source = templated_kernel();
  source.name = "sum_of_step";
  EXPECT_THROW(compile(source, "sm_90", {}), CudaError);
}

TEST_F(NvrtcTest, TheSecondCompilationComesFromTheCache) {
  const Compiled first = compile(spilling_kernel(), "sm_90", folder);
  EXPECT_EQ(first.cache_problem, "");
  const Compiled second = compile(spilling_kernel(), "sm_90", folder);
  EXPECT_TRUE(second.resources.from_cache);
  EXPECT_EQ(second.resources.compile_s, 0);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_EQ(second.log, first.log);
  EXPECT_EQ(second.resources.registers_per_thread, first.resources.registers_per_thread);
  EXPECT_EQ(second.resources.spill_bytes, first.resources.spill_bytes);
  EXPECT_EQ(second.resources.local_bytes, first.resources.local_bytes);
}

TEST_F(NvrtcTest, AnythingThatChangesTheCubinMissesTheCache) {
  const KernelSource source = templated_kernel();
  compile(source, "sm_90", folder);
  EXPECT_FALSE(compile(source, "sm_80", folder).resources.from_cache);
  KernelSource other_header = source;
  other_header.headers["steps/step.cuh"] = "#pragma once\n__device__ inline int step(int x) { return x; }\n";
  EXPECT_FALSE(compile(other_header, "sm_90", folder).resources.from_cache);
  KernelSource other_option = source;
  other_option.options.emplace_back("--fmad=false");
  EXPECT_FALSE(compile(other_option, "sm_90", folder).resources.from_cache);
  KernelSource other_text = source;
  other_text.text += "\n";
  EXPECT_FALSE(compile(other_text, "sm_90", folder).resources.from_cache);
  EXPECT_TRUE(compile(source, "sm_90", folder).resources.from_cache);
}

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& content) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

TEST_F(NvrtcTest, ADamagedCacheEntryIsCompiledAnewAndReplaced) {
  const KernelSource source = templated_kernel();
  const Compiled good = compile(source, "sm_90", folder);
  const fs::path file = cached_file();
  const std::string whole = content_of(file);
  std::vector<std::pair<std::string, std::string>> damages{
      {"empty", ""},
      {"cut in the header", whole.substr(0, 10)},
      {"cut in the cubin", whole.substr(0, whole.size() - 7)},
      {"longer", whole + "x"},
      {"another program's file", std::string(whole.size(), 'z')},
  };
  // A bit in the version, in a length, in the checksum, in the key, in the cubin.
  for (const std::size_t at :
       {std::size_t{8}, std::size_t{16}, std::size_t{50}, std::size_t{70}, whole.size() - 9}) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 1);
    damages.emplace_back("a bit flipped at " + std::to_string(at), flipped);
  }
  for (const auto& [what, content] : damages) {
    write(file, content);
    const Compiled again = compile(source, "sm_90", folder);
    EXPECT_FALSE(again.resources.from_cache) << what;
    EXPECT_EQ(again.cubin, good.cubin) << what;
    EXPECT_TRUE(compile(source, "sm_90", folder).resources.from_cache) << what;
  }
}

TEST_F(NvrtcTest, AnEntryOfAnotherKeyUnderTheSameNameIsNotTaken) {
  compile(templated_kernel(), "sm_90", folder);
  const fs::path file = cached_file();
  const fs::path elsewhere = folder.string() + "_other";
  compile(spilling_kernel(), "sm_90", elsewhere);
  fs::copy_file(*fs::directory_iterator(elsewhere), file, fs::copy_options::overwrite_existing);
  fs::remove_all(elsewhere);
  EXPECT_FALSE(compile(templated_kernel(), "sm_90", folder).resources.from_cache);
}

TEST_F(NvrtcTest, ACacheThatCannotBeWrittenSaysSoAndTheKernelIsStillCompiled) {
  write(folder, "a file where the folder should be");
  const Compiled compiled = compile(templated_kernel(), "sm_90", folder);
  EXPECT_FALSE(compiled.cubin.empty());
  EXPECT_NE(compiled.cache_problem, "");
}

/// Two entries, one with an array that is indexed, and shared memory.
KernelSource two_entries() {
  return {.name = "mine",
          .text = R"(
extern "C" __global__ void other(int* out, int n) {
  int a[50] = {};
  for (int i = 0; i < n; ++i) a[out[i]] = i;
  out[n] = a[n];
}
extern "C" __global__ void mine(float* out, const float* in) {
  __shared__ float s[37];
  s[threadIdx.x % 37] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[(threadIdx.x + 1) % 37];
}
)",
          .headers = {},
          .options = {}};
}

TEST_P(NvrtcArchitectureTest, ResourcesOfAnEntryAreReadFromTheCubinWhateverTheLogSays) {
  const auto known = nvrtc_architectures();
  if (std::find(known.begin(), known.end(), GetParam()) == known.end())
    GTEST_SKIP() << "NVRTC " << *nvrtc_version().value << " does not compile for " << GetParam();
  const Compiled compiled = compile(two_entries(), GetParam(), {});
  const Resources mine = kernel_resources(compiled.cubin, "", "mine");
  EXPECT_GT(mine.registers_per_thread, 4);
  EXPECT_EQ(mine.shared_bytes, 148);
  EXPECT_EQ(mine.local_bytes, 0);
  const Resources other = kernel_resources(compiled.cubin, "", "other");
  EXPECT_EQ(other.shared_bytes, 0);
  EXPECT_GE(other.local_bytes, 200);
  EXPECT_EQ(kernel_resources(compiled.cubin, "", "min").registers_per_thread, 0);
  // As the log of this version has them.
  const std::string used = "Used " + std::to_string(mine.registers_per_thread) + " registers";
  if (compiled.log.find(" registers") != std::string::npos) {
    EXPECT_THAT(compiled.log, HasSubstr(used));
  }
}

TEST_F(NvrtcTest, ACubinThatIsCutOffHasNoResourcesAndCrashesNothing) {
  const std::string cubin = compile(two_entries(), "sm_90", {}).cubin;
  for (std::size_t size = 0; size < cubin.size(); size += 7)
    static_cast<void>(kernel_resources(std::string_view(cubin).substr(0, size), "", "mine"));
  EXPECT_EQ(kernel_resources("", "", "mine").registers_per_thread, 0);
  EXPECT_EQ(kernel_resources(cubin.substr(0, 200), "", "mine").registers_per_thread, 0);
}

TEST_F(NvrtcTest, SpillsOfFunctionsThatAreNotInlinedCountAsTheEntrys) {
  const std::string_view log = R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'mine' for 'sm_90'
ptxas info    : Function properties for mine
ptxas         .     32 bytes stack frame, 1 bytes spill stores, 2 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 40 bytes cumulative stack size, 2048 bytes smem, 400 bytes cmem[0]
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Function properties for other
ptxas         .     16 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 99 registers, used 0 barriers, 64 bytes smem
ptxas info    : Compile time = 7.782 ms
ptxas info    : Function properties for _Z6helperPfi
ptxas         .     8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads
)";
  EXPECT_EQ(kernel_resources(compile(two_entries(), "sm_90", {}).cubin, log, "mine").spill_bytes, 31);
}

}  // namespace
}  // namespace gpuseq::cuda
