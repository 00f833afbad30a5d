#include "bench/plan/memory_fit.hpp"

#include <gtest/gtest.h>

#include "tests/bench/toy_registry.hpp"
#include "tests/source_dir.hpp"

namespace gpuseq::bench {
namespace {

/// Remarks on the sizes of a config, on a GPU with so much free memory.
std::size_t remarks_at(std::size_t free_bytes) {
  static const Registry registry = make_registry();
  const SuiteConfig config = load_config(source_dir() / "configs" / "titan.json");
  const std::vector<DeviceInfo> devices{{.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = free_bytes}};
  return too_large_remarks(config, plan(config, registry, devices), devices).size();
}

TEST(MemoryFit, MoreSizesAreTooLargeForLessMemory) {
  constexpr std::size_t kGb = 1'000'000'000, kSizes = 9;
  EXPECT_EQ(remarks_at(100 * kGb), 0u);
  EXPECT_GT(remarks_at(4 * kGb), 0u);
  EXPECT_GT(remarks_at(2 * kGb), remarks_at(4 * kGb));
  EXPECT_EQ(remarks_at(20'000'000), kSizes);
}

TEST(MemoryFit, IndexInPartsIsNotComparedWithOneDevice) {
  static const Registry registry = make_registry();
  const std::vector<DeviceInfo> devices{
      {.id = "cuda:0", .kind = DeviceKind::cuda, .free_bytes = 100'000'000'000}};
  const auto remarks = [&](const char* where) {
    const nlohmann::json document{
        {"name", "large"},
        {"devices", "cuda:0"},
        {"families",
         {{"fm_index",
           {{"problems", {{{"reference", "synthetic"}, {"reference_bases", 4'500'000'000}}}},
            {"variants", {{"one_hot_routed", {{"k", 4}, {"index_on", where}}}}}}}}}};
    const SuiteConfig config = config_from_json(document, "t.json", "/");
    return too_large_remarks(config, plan(config, registry, devices), devices).size();
  };
  EXPECT_EQ(remarks("one"), 1u);
  EXPECT_EQ(remarks("parts"), 0u);
}

}  // namespace
}  // namespace gpuseq::bench
