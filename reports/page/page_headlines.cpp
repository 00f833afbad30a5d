#include "reports/page/page_headlines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "reports/headlines.hpp"
#include "reports/page/html.hpp"
#include "reports/page/winners.hpp"
#include "runtime/contract/bound.hpp"

namespace gpuseq::reports {
namespace {

constexpr std::size_t kMostShown = 12;  // the others are closed

std::string item(const Headline& headline) {
  std::string caveats, remarks;
  for (const std::string& remark : headline.remarks) remarks += " " + remark;
  for (const std::string& caveat : headline.caveats)
    caveats += fmt::format("<li>{}</li>", html::escape(caveat));
  return fmt::format("<li>{}{}</li>\n", html::escape(headline.sentence + remarks),
                     caveats.empty() ? "" : "<ul class=\"caveats\">" + caveats + "</ul>");
}

std::string list(const std::vector<Headline>& headlines, std::size_t from, std::size_t to) {
  std::string items;
  for (std::size_t i = from; i < to; ++i) items += item(headlines[i]);
  return fmt::format("<ul class=\"headlines\">\n{}</ul>\n", items);
}

/// "The GPU is NVIDIA H200, the CPU AMD EPYC 9R45.": what the words of the headlines stand for.
std::string who(const std::vector<Reached>& reached) {
  std::map<std::string, std::string> named;
  for (const Reached& one : reached)
    if (const std::string words = device_words(reached, one); words != one.device_name)
      named[words] = one.device_name;
  std::string text;
  for (auto of = named.rbegin(); of != named.rend(); ++of)
    text +=
        fmt::format("{} is {}", text.empty() ? "The" + of->first.substr(3) : "; " + of->first, of->second);
  return text.empty() ? "" : fmt::format("<p class=\"note\">{}.</p>\n", html::escape(text));
}

/// What holds for many records at once.
std::vector<std::string> caveats_of(const ReportData& data) {
  std::vector<std::string> caveats;
  for (const Run& run : data.runs)
    for (std::string& caveat : run_caveats(run.summary))
      caveats.push_back(data.runs.size() > 1 ? fmt::format("Run {}: {}", run.name, caveat)
                                             : std::move(caveat));
  const auto count = [&](auto holds) {
    return static_cast<std::size_t>(
        std::ranges::count_if(data.entries, [&](const Entry& entry) { return holds(entry.record); }));
  };
  if (const std::size_t synthetic = count([](const results::Record& record) { return record.synthetic; }))
    caveats.push_back(
        fmt::format("{} records searched a synthetic reference: a generated BWT, marked in tables and plots.",
                    synthetic));
  if (const std::size_t refuted = count([](const results::Record& record) {
        return record.ceiling.value && record.ceiling.value->fraction > kRefutedFraction;
      }))
    caveats.push_back(
        fmt::format("Refuted ceilings: {} of {} records are faster than theirs, whose notes say so.", refuted,
                    data.entries.size()));
  std::set<std::string> cards;
  const std::size_t earlier = count([&](const results::Record& record) {
    const bool by_card = record.ceiling.value && record.ceiling.value->card;
    if (by_card) cards.insert(record.ceiling.value->card->made);
    return by_card;
  });
  if (earlier > 0)
    caveats.push_back(fmt::format(
        "Ceilings of {} records are from probes of an earlier time: the card of this machine of {}, "
        "which a spot check of the run agreed with.",
        earlier, fmt::join(cards, ", ")));
  return caveats;
}

}  // namespace

std::string headlines_html(const ReportData& data) {
  std::vector<Reached> reached;
  for (const Winner& winner : winners_of(data)) reached.push_back(winner.reached);
  const std::vector<Headline> all = headlines(reached);
  std::string out = who(reached);
  if (all.empty()) out += "<p>No winner is named: nothing was tuned, or the run did not get there.</p>\n";
  const std::size_t shown = std::min(all.size(), kMostShown);
  if (shown > 0) out += list(all, 0, shown);
  if (shown < all.size())
    out += fmt::format("<details class=\"fold\"><summary>{} more problems</summary>\n{}</details>\n",
                       all.size() - shown, list(all, shown, all.size()));
  std::string caveats;
  for (const std::string& caveat : caveats_of(data))
    caveats += fmt::format("<li>{}</li>\n", html::escape(caveat));
  return caveats.empty() ? out : fmt::format("{}<ul class=\"caveats\">\n{}</ul>\n", out, caveats);
}

}  // namespace gpuseq::reports
