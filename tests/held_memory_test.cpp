#include <fmt/format.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <set>

#include "bench/config/registry.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/example_family/family.hpp"
#if GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

// The memory that sessions say a user must hold for them, against that of the process: this
// program's own `new` and mmap() count live memory, and share nothing with the sessions.

namespace {

std::atomic<std::size_t> live_bytes{0};  // of `new`

struct Mapping {
  char *begin = nullptr, *end = nullptr;
};
std::array<Mapping, 4096> mappings;  // anonymous ones of ours
std::mutex mappings_mutex;

void* counted(void* memory) {
  if (memory == nullptr) std::abort();  // no test of memory that ends
  live_bytes += malloc_usable_size(memory);
  return memory;
}

void release(void* memory) {
  if (memory == nullptr) return;
  live_bytes -= malloc_usable_size(memory);
  std::free(memory);
}

void note_mapping(char* begin, std::size_t bytes) {
  const std::scoped_lock lock(mappings_mutex);
  const auto place = std::ranges::find(mappings, nullptr, &Mapping::begin);
  if (place != mappings.end()) *place = {begin, begin + bytes};
}

/// A mapping: all of it, its beginning or its end.
void forget_mapping(char* begin, char* end) {
  const std::scoped_lock lock(mappings_mutex);
  for (Mapping& mapping : mappings) {
    if (mapping.begin == nullptr || begin < mapping.begin || end > mapping.end) continue;
    if (begin == mapping.begin)
      mapping.begin = end;
    else
      mapping.end = begin;
    if (mapping.begin == mapping.end) mapping = {};
    return;
  }
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(std::malloc(bytes));
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit));
}
void operator delete(void* memory) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  release(memory);
}

// Mappings of the program itself; the C library's own calls do not come here.
extern "C" void* mmap(void* at, std::size_t bytes, int protection, int flags, int file,
                      off_t offset) noexcept {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the result of the system call
  void* const made = reinterpret_cast<void*>(syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
  if (made != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0) note_mapping(static_cast<char*>(made), bytes);
  return made;
}
extern "C" int munmap(void* at, std::size_t bytes) noexcept {
  forget_mapping(static_cast<char*>(at), static_cast<char*>(at) + bytes);
  return static_cast<int>(syscall(SYS_munmap, at, bytes));
}

namespace gpuseq {
namespace {

/// Memory that is alive: the requested bytes, and those of them that were written.
struct Taken {
  double asked = 0, touched = 0;
};

Taken taken() {
  constexpr std::size_t kPageBytes = 4096;
  const auto of_new = static_cast<double>(live_bytes.load());
  Taken taken{of_new, of_new};
  const std::scoped_lock lock(mappings_mutex);
  for (const Mapping& mapping : mappings) {
    if (mapping.begin == nullptr) continue;
    const auto bytes = static_cast<std::size_t>(mapping.end - mapping.begin);
    std::vector<unsigned char> resident((bytes + kPageBytes - 1) / kPageBytes);
    taken.asked += static_cast<double>(bytes);
    if (mincore(mapping.begin, bytes, resident.data()) == 0)
      taken.touched +=
          static_cast<double>(kPageBytes) *
          static_cast<double>(std::ranges::count_if(resident, [](unsigned char page) { return page & 1; }));
  }
  return taken;
}

Taken operator-(const Taken& after, const Taken& before) {
  return {after.asked - before.asked, after.touched - before.touched};
}

/// A problem whose parts are large against pages and small objects.
struct Sized {
  Point problem;
  /// Parts that the problem keeps for all variants, and their least bytes.
  std::map<std::string, double> inputs = {};
};

Sized sized(std::string_view family, std::string_view variant, const Point& small) {
  using namespace std::string_literals;
  if (family == "fm_index")
    return {.problem = {{"reference",
                         variant.starts_with("verify") ? "random"s : "synthetic"s},  // it needs a text
                        {"reference_bases", 6'000'000},
                        {"query_count", 200'000}},
            .inputs = {{"queries", 200'000 * 100 / 4}}};
  if (family == "fm_locate")
    return {.problem = {{"reference_bases", 3'000'000}, {"query_count", 300'000}, {"query_bases", 30}},
            .inputs = {{"rows", 300'000 * 8}}};
  if (family == "fm_mismatch")
    return {.problem = {{"reference_bases", 6'000'000},
                        {"query_count", 300'000},
                        {"query_bases", 40},
                        {"mismatches", 1}},
            .inputs = {{"queries", 300'000 * 16}}};
  if (family == "exact_match")
    return {.problem = {{"reference_bases", 300'000}, {"query_count", 30'000}},
            .inputs = {{"queries", 30'000 * 100}}};
  if (family == "papara")
    return {.problem = {{"references", 200},
                        {"sites", 300},
                        {"query_count", 1500},
                        {"shortest_query", 30},
                        {"longest_query", 40}},
            .inputs = {{"queries", 1500 * 30}}};
  if (family == "profile_hmm")
    return {.problem = {{"model_length", 400}, {"sequence_count", 6000}}, .inputs = {{"model", 400 * 20}}};
  if (family == "pairwise_distance")
    return {.problem = {{"instance_count", variant == "constant" ? 65 : 900}, {"attribute_count", 1000}},
            .inputs = {}};
  if (family == "base_counts") return {.problem = {{"bases", 4'000'000}}, .inputs = {{"sequence", 4e6}}};
  return {.problem = small, .inputs = {}};
}

class Held : public ::testing::TestWithParam<std::string> {
 protected:
  const Family& family() const {
    static const bench::Registry all = [] {
      bench::Registry made = bench::make_registry();
      made.families.push_back(base_counts::make_family());
      return made;
    }();
    return *all.shared_family(GetParam());
  }
  Sized sized(const Variant& variant) const {
    return gpuseq::sized(family().name(), variant.name, family().small_problem());
  }
  std::unique_ptr<Problem> load(const Point& problem) const {
    return family().load({.point = family().problem_space().complete(problem),
                          .files = {},
                          .seed = 5,
                          .cache_dir = {},
                          .threads = 2});
  }
  static std::unique_ptr<Session> launched(Problem& problem, const Variant& variant, Device& device) {
    auto session = variant.prepare(problem, variant.space.complete({}), device);
    session->launch();
    device.synchronize();
    return session;
  }
};

constexpr double kSmallBytes = 300'000;  // objects, names of variants, ends of pages

TEST_P(Held, IsSaidByEveryVariantAndIsWhatItTakesOfTheHost) {
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);  // so that pages that are written to can be told
  CpuDevice cpu;
  for (const Variant& variant : family().variants()) {
    if (variant.device != DeviceKind::cpu) continue;
    const Sized at = sized(variant);
    SCOPED_TRACE(variant.name);
    { launched(*load(family().small_problem()), variant, cpu); }  // objects made once, which stay
    const Taken before = taken();
    const std::unique_ptr<Problem> problem = load(at.problem);
    const Taken loaded = taken();
    const std::unique_ptr<Session> session = launched(*problem, variant, cpu);
    const Taken all = taken() - before, own = taken() - loaded;
    const HeldMemory memory = session->cost().held;
    EXPECT_TRUE(memory.parts.contains(kOutputPart));
    double inputs = 0, held = 0;
    for (const auto& [part, bytes] : memory.parts)
      if (part.find(" on cuda:") == std::string::npos) held += static_cast<double>(bytes);
    for (const auto& [part, least] : at.inputs)
      if (const auto found = memory.parts.find(part); found != memory.parts.end()) {
        EXPECT_GE(static_cast<double>(found->second), least) << part;
        inputs += static_cast<double>(found->second);
      }
    EXPECT_GT(held, kSmallBytes) << "the problem is too small to tell";
    EXPECT_LE(held, all.asked) << "it says what is not there";
    EXPECT_LE(held - inputs, own.asked) << "it says what is not there";
    const bool uses_gpu = std::ranges::any_of(
        memory.parts, [](const auto& part) { return part.first.find(" on cuda:") != std::string::npos; });
    if (uses_gpu) continue;  // memory of the driver and the kernel compiler, which a user need not hold
    EXPECT_LE(own.touched, 1.02 * (held - inputs) + kSmallBytes) << "it does not say all";
  }
}

#if GPUSEQ_HAVE_CUDA
TEST_P(Held, IsWhatACudaVariantTakesOfTheDevice) {
  if (const auto count = cuda::device_count(); count.value.value_or(0) == 0)
    GTEST_SKIP() << "no CUDA device: " << count.reason;
  constexpr double kUnitBytes = 2 << 20;  // that the driver gives memory in
  const auto gpu = open_device("cuda:0");
  const auto free_bytes = [&] { return static_cast<double>(gpu->free_bytes()); };
  for (const Variant& variant : family().variants()) {
    if (variant.device != DeviceKind::cuda) continue;
    SCOPED_TRACE(variant.name);
    { launched(*load(family().small_problem()), variant, *gpu); }  // local memory of the kernel stays
    const std::unique_ptr<Problem> problem = load(sized(variant).problem);
    const double before = free_bytes();
    const std::unique_ptr<Session> session = launched(*problem, variant, *gpu);
    const double fallen = before - free_bytes();
    const HeldMemory memory = session->cost().held;
    EXPECT_TRUE(memory.parts.contains(kOutputPart));
    // Buffers that are not large share units, a code module takes some, and freed memory may be kept.
    const double slack = kUnitBytes * (4 + static_cast<double>(memory.parts.size()));
    EXPECT_NEAR(static_cast<double>(memory.bytes()), fallen, slack + 0.02 * fallen);
  }
}
#endif

INSTANTIATE_TEST_SUITE_P(Every, Held, ::testing::ValuesIn([] {
                           std::vector<std::string> names{"base_counts"};
                           for (const auto& family : bench::make_registry().families)
                             names.emplace_back(family->name());
                           return names;
                         }()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gpuseq
