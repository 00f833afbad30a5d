#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <string_view>

#include "bench/config/registry.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/io/atomic_file.hpp"
#include "runtime/system/cpu_device.hpp"
#include "tests/cost_text.hpp"
#include "tests/covered_cost.hpp"
#include "tests/example_family/family.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"
#if GPUSEQ_HAVE_CUDA
#include "runtime/cuda/cuda.hpp"
#endif

// Rules of every family and probe of the program, whatever it computes: a new one is tested by being
// registered.

namespace gpuseq {
namespace {

namespace fs = std::filesystem;

const bench::Registry& registry() {
  static const bench::Registry all = [] {
    bench::Registry made = bench::make_registry();
    made.families.push_back(base_counts::make_family());  // the example of docs/guides/adding.md
    return made;
  }();
  return all;
}

std::vector<std::string> names_of(const std::vector<std::shared_ptr<const Family>>& families) {
  std::vector<std::string> names;
  for (const auto& family : families) names.emplace_back(family->name());
  return names;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names = names_of(registry().families);
  for (std::string& name : names_of(registry().probes)) names.push_back(std::move(name));
  return names;
}

class Registered : public ::testing::TestWithParam<std::string> {
 protected:
  const Family& family() const {
    for (const auto* families : {&registry().families, &registry().probes})
      for (const auto& family : *families)
        if (family->name() == GetParam()) return *family;
    throw std::logic_error("no such family");
  }
  std::unique_ptr<Problem> small_problem() const {
    return family().load({.point = family().problem_space().complete(family().small_problem()),
                          .files = {},
                          .seed = 7,
                          .cache_dir = {},
                          .threads = 2});
  }
  /// The variants that this machine has a device for, each with it.
  std::vector<std::pair<const Variant*, Device*>> runnable() {
    std::vector<std::pair<const Variant*, Device*>> found;
    for (const Variant& variant : family().variants()) {
      if (variant.device == DeviceKind::cpu) found.emplace_back(&variant, &cpu_);
#if GPUSEQ_HAVE_CUDA
      if (variant.device == DeviceKind::cuda && cuda::device_count().value.value_or(0) > 0) {
        if (!gpu_) gpu_ = open_device("cuda:0");
        found.emplace_back(&variant, gpu_.get());
      }
#endif
    }
    return found;
  }

  CpuDevice cpu_;
  std::unique_ptr<Device> gpu_;
  TemporaryFolder folder_;
};

TEST(Registry, NamesOfFamiliesAndProbesAreUnique) {
  const std::vector<std::string> names = all_names();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

TEST_P(Registered, SaysWhatItIsAndNamesEachVariantOnce) {
  EXPECT_FALSE(family().summary().empty());
  std::set<std::string> names;
  for (const Variant& variant : family().variants()) {
    EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
    EXPECT_FALSE(variant.summary.empty()) << variant.name;
    EXPECT_TRUE(variant.prepare) << variant.name;
    EXPECT_EQ(bool(variant.sources), variant.device == DeviceKind::cuda) << variant.name;
  }
  EXPECT_FALSE(names.empty());
  if (const std::string_view usual = family().exec_variant(); !usual.empty()) {
    EXPECT_EQ(family().variant(usual).device, DeviceKind::cpu);
  }
}

TEST_P(Registered, HasDefaultsThatItAccepts) {
  EXPECT_NO_THROW(family().problem_space().complete({}));
  EXPECT_NO_THROW(family().problem_space().complete(family().small_problem()));
  for (const Variant& variant : family().variants()) {
    EXPECT_NO_THROW(variant.space.complete({})) << variant.name;
    for (const Axis& axis : variant.space.axes()) {
      EXPECT_FALSE(axis.meaning.empty()) << variant.name << ", " << axis.name;
      EXPECT_FALSE(axis.values.empty()) << variant.name << ", " << axis.name;
    }
  }
}

TEST_P(Registered, WhatItsProblemSaysAboutDataIsAboutAnAxisThatNamesThem) {
  for (const Axis& axis : family().problem_space().axes()) {
    if (axis.about.empty()) continue;
    const Axis* data = family().problem_space().find(axis.about);
    ASSERT_TRUE(data) << axis.name;
    EXPECT_TRUE(data->accepts && data->accepts(AxisValue(std::string("a data entry")))) << axis.name;
  }
}

TEST_P(Registered, GrowsAsItSays) {
  const Growth* growth = family().growth();
  if (growth == nullptr) return;
  ASSERT_NE(family().problem_space().find(growth->axis), nullptr);
  EXPECT_FALSE(growth->noun.empty());
  const auto of_size = [&](std::int64_t size) {
    Point point = family().problem_space().complete(family().small_problem());
    point.set(growth->axis, size);
    return family().problem_space().complete(point);
  };
  EXPECT_NO_THROW(of_size(growth->from));
  EXPECT_NO_THROW(of_size(growth->to));
  const auto host_bytes = [&](std::int64_t size) {
    return family().problem_cost({{}, of_size(size), {}}).value().host_bytes;
  };
  EXPECT_GT(host_bytes(16 * growth->from), 8 * host_bytes(growth->from));
  const auto work = [&](std::int64_t size) {
    const auto problem =
        family().load({.point = of_size(size), .files = {}, .seed = 7, .cache_dir = {}, .threads = 2});
    return prepare_as<Session>(*problem, *runnable().front().first, {}, cpu_)->cost().work.amount;
  };
  constexpr std::int64_t kSmall = 100;
  EXPECT_NEAR(work(2 * kSmall) / work(kSmall), std::exp2(growth->power), 0.2 * growth->power);
}

TEST_P(Registered, NamesItsProblemInAFewWords) {
  const Point point = family().problem_space().complete(family().small_problem());
  const std::string label = small_problem()->label(point);
  EXPECT_LT(label.size(), 200u);
  EXPECT_THAT(label, ::testing::Not(::testing::HasSubstr("\n")));
  EXPECT_TRUE(family().exec_roles().empty() || !label.empty());  // a probe's point says all
}

TEST_P(Registered, EveryVariantSolvesASmallProblemAtItsDefaultPointTwice) {
  const std::unique_ptr<Problem> problem = small_problem();
  EXPECT_EQ(problem->hash().size(), 16u);
  for (const auto& [variant, device] : runnable()) {
    SCOPED_TRACE(variant->name);
    std::unique_ptr<Session> session;
    try {
      session = prepare_as<Session>(*problem, *variant, {}, *device);
    } catch (const ResourceError& error) {
      // On a machine with one GPU, or one NUMA node; on one with more, prepare() must find it.
      const std::string_view reason = error.what();
      for (const char* of_one : {"has no peer", "has one NUMA node"})
        if (reason.find(of_one) != std::string_view::npos) GTEST_SKIP() << reason;
      ADD_FAILURE_AT(__FILE__, __LINE__) << error.what();
      continue;
    }
    const Work work = session->cost().work;
    EXPECT_GT(work.amount, 0);
    EXPECT_FALSE(work.unit.empty());
    for (int launch = 0; launch < 2; ++launch) {
      session->launch();
      device->synchronize();
      const Verification verification = session->verify();
      EXPECT_TRUE(verification.passed) << "launch " << launch << ": " << verification.reason;
      EXPECT_GT(verification.checked, 0u);
    }
    const Cost cost = session->cost();
    if (cost.traffic) {
      EXPECT_GT(cost.traffic->blocks, 0);
      EXPECT_GT(cost.traffic->block_bytes, 0u);
    }
    if (cost.instructions) {
      EXPECT_NE(cost.instructions->operations.empty(), cost.instructions->by_device.empty());
    }
    EXPECT_TRUE(session->facts().is_object());
    // How much it holds: tests/held_memory_test.cpp.
    EXPECT_EQ(cost.held.parts.empty(), !variant->cost) << "only probes do not state their memory";
  }
}

/// A point, and of each axis with listed values only each further one by itself, where that is valid.
std::vector<Point> neighbours_of(const Point& point, const SearchSpace& space) {
  std::vector<Point> points{point};
  for (const Axis& axis : space.axes())
    for (const AxisValue& value : axis.values) {
      if (axis.accepts || value == point.at(axis.name)) continue;
      points.push_back(point);
      points.back().set(axis.name, value);
      if (space.why_invalid(points.back())) points.pop_back();
    }
  return points;
}

/// Every variant of a kind at its neighbouring points, on the small problem and its neighbours.
/// @param cache_dir  of kernels: those of a point are the same on many problems
void expect_estimates_to_cover(const Family& family, DeviceKind kind, Device& device,
                               const fs::path& cache_dir) {
  const SearchSpace& problems = family.problem_space();
  for (const Point& outlined : neighbours_of(problems.complete(family.small_problem()), problems)) {
    const std::unique_ptr<Problem> problem =
        family.load({.point = outlined, .files = {}, .seed = 7, .cache_dir = cache_dir, .threads = 2});
    for (const Variant& variant : family.variants()) {
      if (variant.device != kind || !variant.cost) continue;
      for (const Point& point : neighbours_of(variant.space.complete({}), variant.space)) {
        SCOPED_TRACE(variant.name + " " + point.to_string() + " on " + outlined.to_string());
        std::unique_ptr<Session> session;
        try {
          session = variant.prepare(*problem, point, device);
        } catch (const ResourceError&) {
          continue;  // such a state is skipped
        }
        session->launch();
        device.synchronize();
        expect_covered(session->cost(), variant.cost({point, outlined, {}}));
      }
    }
  }
}

TEST_P(Registered, EstimatesCoverWhatCpuSessionsCount) {
  expect_estimates_to_cover(family(), DeviceKind::cpu, cpu_, folder_.path());
}

#if GPUSEQ_HAVE_CUDA
TEST_P(Registered, EstimatesCoverWhatCudaSessionsCount) {
  if (const auto count = cuda::device_count(); count.value.value_or(0) == 0)
    GTEST_SKIP() << "no CUDA device: " << count.reason;
  gpu_ = open_device("cuda:0");
  expect_estimates_to_cover(family(), DeviceKind::cuda, *gpu_, folder_.path());
}
#endif

TEST_P(Registered, EveryKernelEstimatesItsCost) {
  if (family().exec_roles().empty()) GTEST_SKIP() << "a probe needs no bound";
  const Point problem = family().problem_space().complete(family().small_problem());
  for (const Variant& variant : family().variants()) {
    SCOPED_TRACE(variant.name);
    ASSERT_TRUE(variant.cost);
    try {
      const Cost cost = variant.cost({variant.space.complete({}), problem, {}});
      EXPECT_NE(cost.traffic || cost.instructions, !cost.why_no_bound.empty());
      EXPECT_GT(cost.work.amount, 0);
      EXPECT_GT(cost.held.bytes(), 0u);
    } catch (const ResourceError&) {
      // This machine cannot run its default point, or the point does not solve the problem.
    }
  }
}

/// Estimates of the variants of a kind, and counts where `device` can run them. A factor of 2 in a count or
/// an estimate changes the text.
std::string costs_text(const Family& family, DeviceKind kind, Device* device) {
  const Point outlined = family.problem_space().complete(family.small_problem());
  const std::unique_ptr<Problem> problem =
      family.load({.point = outlined, .files = {}, .seed = 7, .cache_dir = {}, .threads = 2});
  std::string text;
  for (const Variant& variant : family.variants()) {
    if (variant.device != kind) continue;
    const Point point = portable(variant);
    try {
      text += fmt::format("{} estimate: {}", variant.name, text_of(variant.cost({point, outlined, {}})));
      if (device == nullptr) continue;
      const auto session = variant.prepare(*problem, point, *device);
      session->launch();
      text += fmt::format("{} count:    {}", variant.name, text_of(session->cost()));
    } catch (const ResourceError&) {
      text += variant.name + ": not on this problem\n";
    }
  }
  return text;
}

TEST_P(Registered, CostsOnTheCpuAreAsAccepted) {
  if (family().exec_roles().empty()) GTEST_SKIP() << "a probe's cost is its point";
  expect_text(costs_text(family(), DeviceKind::cpu, &cpu_));
}

#if GPUSEQ_HAVE_CUDA
TEST_P(Registered, EstimatesOfCudaVariantsAreAsAccepted) {
  if (family().exec_roles().empty()) GTEST_SKIP() << "a probe's cost is its point";
  expect_text(costs_text(family(), DeviceKind::cuda, nullptr));
}
#endif

/// Roles of exec that are inputs.
std::vector<std::string> inputs_of(const Family& family) {
  std::vector<std::string> roles;
  for (const auto& [role, meaning] : family.exec_roles())
    if (role != "out") roles.push_back(role);
  return roles;
}

TEST_P(Registered, ExecOfEveryVariantWritesTheSameAnswers) {
  if (family().exec_roles().empty()) GTEST_SKIP() << "it has no answers to write";
  ExecRequest request;
  request.options = family().exec_options().complete({});
  try {
    for (const auto& [role, path] : small_problem()->write_files(folder_.path()))
      if (const auto roles = inputs_of(family()); std::ranges::find(roles, role) != roles.end())
        request.data[role] = path;
  } catch (const ResourceError& no_files) {
    GTEST_SKIP() << no_files.what();
  }
  if (request.data.empty()) GTEST_SKIP() << "its problems are not available as files";
  std::string first;
  for (const auto& [variant, device] : runnable()) {
    request.variant = variant->name;
    request.point = variant->space.complete({});
    request.outputs["out"] = folder_.path() / (variant->name + ".out");
    const ExecReport report = family().exec(request, *device);
    EXPECT_GT(report.work().amount, 0) << variant->name;
    EXPECT_FALSE(report.work().unit.empty()) << variant->name;
    EXPECT_GT(report.seconds("compute"), 0) << variant->name;
    EXPECT_GT(report.seconds("load") + report.seconds("prepare"), 0) << variant->name;
    const std::string answers = read_file(request.outputs["out"]);
    EXPECT_FALSE(answers.empty()) << variant->name;
    if (first.empty()) first = answers;
    EXPECT_TRUE(answers == first) << variant->name << " writes other answers than "
                                  << runnable().front().first->name;
  }
}

TEST_P(Registered, BrokenDataAreAUsersErrorAndLeaveTheOldAnswers) {
  const std::vector<std::string> roles = inputs_of(family());
  if (roles.empty()) GTEST_SKIP() << "it takes no files";
  const fs::path broken = folder_.path() / "broken", out = folder_.path() / "out";
  std::ofstream(broken, std::ios::binary) << std::string("\0\1\2<>\"\n\n,,\t(((;", 16);
  std::ofstream(out) << "old";
  const Variant& variant = *runnable().front().first;
  ExecRequest request{.variant = variant.name,
                      .point = variant.space.complete({}),
                      .options = family().exec_options().complete({}),
                      .data = {},
                      .outputs = {{"out", out}},
                      .cache_dir = {}};
  for (const std::string& role : roles) request.data[role] = broken;
  EXPECT_THROW(family().exec(request, cpu_), UsageError);
  EXPECT_EQ(read_file(out), "old");
}

INSTANTIATE_TEST_SUITE_P(Every, Registered, ::testing::ValuesIn(all_names()),
                         [](const auto& info) { return info.param; });

#if GPUSEQ_HAVE_CUDA
/// (family, architecture): the least and the newest that are compiled for.
class RegisteredSources : public ::testing::TestWithParam<std::tuple<std::string, int>> {};

TEST_P(RegisteredSources, OfDefaultPointsCompileOrSayTheLeastArchitecture) {
  if (const auto version = cuda::nvrtc_version(); !version.value) GTEST_SKIP() << version.reason;
  const auto& [name, architecture] = GetParam();
  const std::string target = fmt::format("sm_{}", architecture);
  const auto known = cuda::nvrtc_architectures();
  if (std::ranges::find(known, target) == known.end()) GTEST_SKIP() << "NVRTC does not know " << target;
  for (const auto* families : {&registry().families, &registry().probes})
    for (const auto& family : *families) {
      if (family->name() != name) continue;
      for (const Variant& variant : family->variants()) {
        if (!variant.sources) continue;
        const Point problem = family->problem_space().complete({});
        const auto sources = variant.sources(variant.space.complete({}), problem);
        EXPECT_FALSE(sources.empty()) << variant.name;
        for (const KernelSource& source : sources) {
          if (source.least_architecture > architecture) continue;
          EXPECT_NO_THROW(cuda::compile(source, target, {})) << variant.name;
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, RegisteredSources,
                         ::testing::Combine(::testing::ValuesIn(all_names()), ::testing::Values(75, 120)),
                         [](const auto& info) {
                           return fmt::format("{}_sm_{}", std::get<0>(info.param), std::get<1>(info.param));
                         });
#endif

}  // namespace
}  // namespace gpuseq
