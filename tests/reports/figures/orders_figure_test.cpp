#include <gmock/gmock.h>

#include <algorithm>

#include "tests/reports/drawn_figure.hpp"

namespace gpuseq::reports {
namespace {

using namespace example;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A search of 100 query bases, sorted first in so many seconds.
results::Record search(const std::string& order, std::int64_t bases, double rate, double sort_s = 0) {
  Point of = problem(bases);
  if (!order.empty()) of.set("query_order", order);
  results::Record made = record("fm_index", "simd", of, {{"k", 2}, {"d", 64}, {"prefix_symbols", 10}}, "cpu",
                                100, "query bases", rate);
  if (sort_s > 0) made.side_samples_s["sort"] = {sort_s};
  return made;
}

const chart::LineChart& lines_of(const Drawing& drawing) {
  return std::get<chart::LineChart>(*drawing.chart);
}

TEST(OrdersFigure, DrawsTheSearchAloneAndWithTheSortingBeforeIt) {
  const Drawing drawing = draw(
      "fm-index/orders", data({search("as_given", 1'000'000, 50), search("sorted", 1'000'000, 100, 1),
                               search("as_given", 100'000'000, 20), search("sorted", 100'000'000, 25, 1)}));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(lines_of(drawing).series, ElementsAre("as_given", "sorted"));
  ASSERT_EQ(lines_of(drawing).panels.size(), 1u);
  const chart::Panel& panel = lines_of(drawing).panels[0];
  EXPECT_THAT(panel.title, HasSubstr("queries of 100 bases"));
  EXPECT_THAT(panel.title, HasSubstr("simd of k=2, prefix table of 10"));
  ASSERT_EQ(panel.marks.size(), 6u);
  const auto y = [&](const char* order, const char* timed, double bases) {
    const auto mark = std::ranges::find_if(panel.marks, [&](const chart::Mark& one) {
      return one.series == order && one.dash == timed && one.x == bases;
    });
    return mark == panel.marks.end() ? 0 : mark->y;
  };
  EXPECT_DOUBLE_EQ(y("sorted", "search", 1e6), 100);
  EXPECT_DOUBLE_EQ(y("sorted", "sort and search", 1e6), 50);  // a second of each
  EXPECT_DOUBLE_EQ(y("sorted", "sort and search", 1e8), 20);  // four seconds and one
  EXPECT_DOUBLE_EQ(y("as_given", "search", 1e8), 20);
  EXPECT_DOUBLE_EQ(y("as_given", "sort and search", 1e8), 0);
}

TEST(OrdersFigure, ComparesOrdersOfOneK) {
  const auto of_k = [](results::Record of, std::int64_t k) {
    of.state.point.set("k", k);
    return of;
  };
  const Drawing drawing = draw(
      "fm-index/orders", data({search("as_given", 1'000'000, 90), of_k(search("as_given", 1'000'000, 50), 4),
                               search("sorted", 1'000'000, 95), of_k(search("sorted", 1'000'000, 100), 4)}));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  ASSERT_EQ(lines_of(drawing).panels.size(), 2u);
  EXPECT_THAT(lines_of(drawing).panels[1].title, HasSubstr("k=4"));
  EXPECT_DOUBLE_EQ(lines_of(drawing).panels[1].marks.at(0).y, 50);
}

TEST(OrdersFigure, HasWhatTheDeviceSortsAsAnOrderOfWhichTheSortIsTimed) {
  const auto on_device = [](results::Record of, const char* order) {
    of.state.point.set("device_order", std::string(order));
    return of;
  };
  const Drawing drawing =
      draw("fm-index/orders", data({on_device(search("as_given", 1'000'000, 50), "as_given"),
                                    on_device(search("as_given", 1'000'000, 70), "sorted"),
                                    on_device(search("sorted", 1'000'000, 90, 1), "sorted"),  // twice
                                    on_device(search("sorted", 1'000'000, 100, 1), "as_given")}));
  ASSERT_TRUE(drawing.spec) << drawing.reason;
  EXPECT_THAT(lines_of(drawing).series, ElementsAre("as_given", "as_given, sorted on the device", "sorted"));
  std::vector<std::string> marks;
  for (const chart::Mark& mark : lines_of(drawing).panels.at(0).marks)
    marks.push_back(fmt::format("{}, {}: {}", mark.series, mark.dash, mark.y));
  EXPECT_THAT(marks,
              ElementsAre("as_given, search: 50", "as_given, sorted on the device, sort and search: 70",
                          "sorted, search: 100", "sorted, sort and search: 50"));
}

TEST(OrdersFigure, NeedsQueriesInSeveralOrders) {
  // Records of before the axis was there say nothing of it.
  EXPECT_THAT(draw("fm-index/orders", data({search("", 1'000'000, 50)})).reason, HasSubstr("query_order"));
  EXPECT_THAT(draw("fm-index/orders", data({search("as_given", 1'000'000, 50)})).reason,
              HasSubstr("query_order"));
}

}  // namespace
}  // namespace gpuseq::reports
