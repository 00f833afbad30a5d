#include "bench/commands/doctor/doctor.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "runtime/contract/errors.hpp"
#include "tests/bench/toy_program.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

using namespace gpuseq::bench::testing;
namespace fs = std::filesystem;

/// Writes the files of a tree below `root`.
void plant(const fs::path& root, const std::map<std::string, std::string>& files) {
  for (const auto& [name, text] : files) {
    fs::create_directories((root / name).parent_path());
    std::ofstream(root / name) << text;
  }
}

/// A machine without anything: no GPU, no /proc, no /sys, no folder that can be written.
Places bare(const Scratch& scratch) {
  return {.root = scratch / "root",
          .build_type = "Debug",
          .configs = scratch / "configs",
          .runs = scratch / "runs",
          .python = {},
          .temporary = {std::nullopt, "TMPDIR: No such file or directory"},
          .cache = {{}, "the user has no home"},
          .devices =
              [] {
                return DeviceList{{"cpu"}, "libcuda.so.1 not found (looked in the loader's path)"};
              },
          .gpu = [](const std::string&) -> ExaminedGpu { throw std::logic_error("there is none"); },
          .nvrtc =
              [] {
                return Maybe<std::string>{std::nullopt, "libnvrtc.so.13, libnvrtc.so.12 not found"};
              },
          .cupti =
              [] {
                return Maybe<std::string>{std::nullopt, "libcupti.so.13, libcupti.so.12 not found"};
              },
          .topology =
              [] {
                Topology unknown;
                unknown.unknown_because = "hwloc cannot read this machine's topology";
                return unknown;
              },
          .why_no_renderer = [] { return "no Python interpreter with vl-convert-python was given"; },
          .free_bytes = [](const fs::path&) { return std::nullopt; }};
}

/// A machine that has everything.
Places healthy(const Scratch& scratch) {
  Places places = bare(scratch);
  plant(scratch / "root", {{"proc/meminfo", "MemAvailable: 64000000 kB\nHugePages_Total: 512\n"},
                           {"proc/cpuinfo", "model name : A CPU\nflags : ssse3 sse4_2 avx2 avx512bw\n"},
                           {"sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n"},
                           {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"},
                           {"sys/class/powercap/intel-rapl:0/energy_uj", "1\n"},
                           {"sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000\n"}});
  plant(scratch / "configs", {{"quick.json", "{}"}});
  places.build_type = "Release";
  places.python = "/opt/venv/bin/python";
  places.temporary = {"/tmp", {}};
  places.cache = {"/home/a/.cache/gpuseq-bench", {}};
  places.devices = [] { return DeviceList{{"cpu", "cuda:0", "cuda:1"}, ""}; };
  places.gpu = [](const std::string&) { return ExaminedGpu{"NVIDIA H100", "580.95.05", {1e3, {}}, ""}; };
  places.nvrtc = [] { return Maybe<std::string>{"13.0, /usr/local/cuda/lib64/libnvrtc.so.13", {}}; };
  places.cupti = [] { return Maybe<std::string>{"/usr/local/cuda/lib64/libcupti.so.13", {}}; };
  places.topology = [] {
    return Topology{.caches = {{.level = 1, .bytes = 48 << 10}, {.level = 2, .bytes = 2 << 20}},
                    .cores = {{.id = 0, .cpus = {0, 2}}, {.id = 1, .cpus = {1, 3}}},
                    .packages = 1,
                    .numa_nodes = 1};
  };
  places.why_no_renderer = [] { return ""; };
  places.free_bytes = [](const fs::path&) { return std::optional<std::uint64_t>(500'000'000'000); };
  return places;
}

/// A container with a quota, little memory and a full disk, and a GPU that counts for administrators.
Places limited(const Scratch& scratch) {
  Places places = healthy(scratch);
  fs::remove_all(scratch / "root" / "sys");
  plant(scratch / "root", {{"proc/meminfo", "MemAvailable: 64000000 kB\nHugePages_Total: 0\n"},
                           {"proc/self/cgroup", "0::/\n"},
                           {"proc/driver/nvidia/params", "RmProfilingAdminOnly: 1\n"},
                           {"sys/fs/cgroup/cpu.max", "150000 100000\n"},
                           {"sys/fs/cgroup/memory.max", "1500000000\n"},
                           {"sys/fs/cgroup/memory.current", "500000000\n"},
                           {"sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n"},
                           {"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"},
                           {"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "schedutil\n"},
                           {"sys/class/powercap/intel-rapl:0/name", "package-0\n"}});
  places.gpu = [](const std::string& id) {
    if (id == "cuda:1") throw std::runtime_error("cuDevicePrimaryCtxRetain: CUDA_ERROR_DEVICE_UNAVAILABLE");
    return ExaminedGpu{"NVIDIA H100",
                       "580.95.05",
                       {std::nullopt, "nvmlInit: Driver/library version mismatch"},
                       "no permission to read GPU counters"};
  };
  places.cupti = bare(scratch).cupti;
  places.topology = [] {
    return Topology{.caches = {}, .cores = {{.id = 0, .cpus = {0}}}, .packages = 1, .numa_nodes = 1};
  };
  places.free_bytes = [](const fs::path& folder) {
    return std::optional<std::uint64_t>(folder.filename() == "runs" ? 100'000'000 : 700'000'000);
  };
  return places;
}

std::string without(std::string text, const std::string& path) {
  for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path))
    text.replace(at, path.size(), "HERE");
  return text;
}

struct Machine {
  const char* name;
  Places (*make)(const Scratch&);
};
constexpr Machine kMachines[]{{"healthy", healthy}, {"limited", limited}, {"bare", bare}};

TEST(Doctor, PrintsWhatItFoundWithRemedies) {
  for (const Machine& machine : kMachines) {
    const Scratch scratch;
    const std::string here = (scratch / "x").parent_path().string();
    const std::string text = without(findings_text(examine(machine.make(scratch))), here);
    const fs::path golden = source_dir() / "tests" / "data" / "doctor" / (std::string(machine.name) + ".txt");
    EXPECT_EQ(text, content(golden)) << machine.name;
  }
}

/// The finding of a name.
Finding one_of(const std::vector<Finding>& findings, const std::string& name) {
  const auto found = std::ranges::find(findings, name, &Finding::name);
  return found == findings.end() ? Finding{} : *found;
}

TEST(Doctor, WarningsDoNotKeepARunFromMeasuring) {
  const Scratch first, second, third;
  EXPECT_TRUE(can_measure(examine(healthy(first))));
  EXPECT_TRUE(can_measure(examine(limited(second))));
  EXPECT_FALSE(can_measure(examine(bare(third))));
}

TEST(Doctor, WhatIsNeededIsNamedWhereItIsMissing) {
  const Scratch scratch;
  Places places = healthy(scratch);
  places.nvrtc = bare(scratch).nvrtc;
  EXPECT_FALSE(can_measure(examine(places))) << "a GPU without a compiler";
  places.devices = bare(scratch).devices;
  EXPECT_TRUE(can_measure(examine(places))) << "the processors can be measured";
  places.free_bytes = [](const fs::path&) { return std::optional<std::uint64_t>(1 << 20); };
  EXPECT_FALSE(can_measure(examine(places))) << "a run needs 16 MiB";
}

TEST(Doctor, EveryFindingThatIsNotOkHasARemedy) {
  for (const Machine& machine : kMachines) {
    const Scratch scratch;
    for (const Finding& one : examine(machine.make(scratch))) {
      EXPECT_EQ(one.state == Health::ok, one.remedy.empty()) << one.name;
      EXPECT_FALSE(one.found.empty()) << one.name;
    }
  }
}

TEST(Doctor, ItsJsonHasWhatItsTextHas) {
  const Scratch scratch;
  const std::vector<Finding> findings = examine(limited(scratch));
  const nlohmann::ordered_json json = findings_json(findings);
  EXPECT_EQ(json["can_measure"], true);
  ASSERT_EQ(json["findings"].size(), findings.size());
  for (const auto& one : json["findings"])
    if (one["name"] == "CPU quota") {
      EXPECT_EQ(one["state"], "warning");
      EXPECT_EQ(one["found"], one_of(findings, "CPU quota").found);
      EXPECT_TRUE(one["remedy"].is_string());
    }
}

TEST(Doctor, RunsOnThisMachineAndLeavesNothing) {
  const Scratch scratch;
  Program program(scratch, {"doctor", "--json"}, [&] {
    if (chdir((scratch / "x").parent_path().c_str()) != 0) _exit(125);
  });
  const int code = program.wait();
  const nlohmann::json json = parse_json(program.out(), "doctor");
  EXPECT_EQ(code, json["can_measure"] == true ? 0 : 1) << program.err();
  EXPECT_GE(json["findings"].size(), 15u);
  EXPECT_FALSE(fs::exists(scratch / "cache"));
  EXPECT_FALSE(fs::exists(scratch / "runs"));
  EXPECT_EQ(run(scratch, {"doctor", "--nonsense"}), 2);
}

}  // namespace
}  // namespace gpuseq::bench
