#include "reports/page/html.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuseq::reports::html {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Escape, LeavesNoMarkup) {
  EXPECT_EQ(escape("<b a=\"1\" c='2'>&"), "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;");
}

TEST(Escape, KeepsUtf8AndShowsWhatCannotBeSeen) {
  EXPECT_EQ(escape("Chacón µs\n"), "Chacón µs\n");
  EXPECT_EQ(escape("a\xFF \x1b[31m \u202e"), "a\\xff \\u001b[31m \\u202e");
}

TEST(ScriptJson, CannotEndItsScriptElement) {
  const nlohmann::ordered_json json{{"name", "</script><!--"}};
  EXPECT_THAT(script_json(json), Not(HasSubstr("<")));
  EXPECT_EQ(nlohmann::ordered_json::parse(script_json(json)), json);
}

TEST(Table, EscapesItsCellsAndSortsByNumbers) {
  const Table table{.caption = "a < b",
                    .columns = {"x>"},
                    .rows = {{{"<i>"}}, {number_cell("1 k", 1000)}},
                    .sortable = true};
  const std::string html = table.to_string();
  EXPECT_THAT(html, HasSubstr("<caption>a &lt; b</caption>"));
  EXPECT_THAT(html, HasSubstr("<td data-label=\"x&gt;\">&lt;i&gt;</td>"));
  EXPECT_THAT(html, HasSubstr("<td data-label=\"x&gt;\" class=\"number\" data-sort=\"1000\">1 k</td>"));
}

TEST(Table, EscapesNotesLinksAndWhatIsClosedAtFirst) {
  const Table table{.caption = "c",
                    .columns = {"x"},
                    .rows = {{{.text = "t",
                               .note = "<n>",
                               .more_title = "<t>",
                               .more = {"<1>", "2"},
                               .link = "#\"onclick=\""}}}};
  const std::string html = table.to_string();
  EXPECT_THAT(html, HasSubstr("<a href=\"#&quot;onclick=&quot;\">t</a>"));
  EXPECT_THAT(html, HasSubstr("<div class=\"note\">&lt;n&gt;</div>"));
  EXPECT_THAT(html, HasSubstr("<summary>&lt;t&gt;</summary><ol><li>&lt;1&gt;</li><li>2</li></ol>"));
}

TEST(DefinitionList, SaysWhyAValueIsNotAvailable) {
  const std::string html = definition_list(
      {{"ecc", nullptr}, {"ecc_reason", "no NVML"}, {"memory_bytes", 1073741824}, {"mig", false}});
  EXPECT_THAT(html, HasSubstr("<dt>ecc</dt><dd>not available: no NVML</dd>"));
  EXPECT_THAT(html, Not(HasSubstr("ecc reason")));
  EXPECT_THAT(html, HasSubstr("<dt>memory bytes</dt><dd>1 GiB</dd>"));
  EXPECT_THAT(html, HasSubstr("<dt>mig</dt><dd>no</dd>"));
}

}  // namespace
}  // namespace gpuseq::reports::html
