#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/charts/chart.hpp"
#include "reports/figure.hpp"

/// What the figures of every family need: picking records, naming them, and saying where they come from.
namespace gpuseq::reports {

/// A rate with its interval, in the unit that the figure draws; of no width where there is none.
struct Rate {
  double value = 0, low = 0, high = 0;
};
Rate rate_of(const Entry& entry, double factor = 1);

/// Largest number of panels that one figure shows.
inline constexpr std::size_t kMostPanels = 12;

/// Keeps the faster of two entries under a key, a disturbed one only where there is no other.
template <typename Key>
void keep_fastest(std::map<Key, const Entry*>& best, const Key& key, const Entry* entry) {
  const Entry*& kept = best[key];
  if (kept && entry->disturbed != kept->disturbed) {
    if (kept->disturbed) kept = entry;
    return;
  }
  if (!kept || entry->record.statistics->rate > kept->record.statistics->rate) kept = entry;
}

/// "random, 1 Gbases, 100-base queries": the words of a problem that a reader tells problems apart by.
std::string problem_name(const Entry& entry);

/// "1 % errors", "no errors": of simulated reads; empty where the problem does not say.
std::string errors_of(const Point& problem);

/// Tooltip of a record: the value that a mark shows, variant, point, problem, device, ceiling, notes that a
/// reader must know.
chart::Tips tips_of(const Entry& entry, const Rate& rate, Unit unit);
chart::Tips tips_of(const Fact& fact, Unit unit);

/// Title, `notes`, and the line that says which runs and how many records the marks come from.
chart::Heading heading(const Figure& figure, const ReportData& data, const std::vector<const Entry*>& used,
                       std::vector<std::string> notes = {});

/// Puts the published lines of a figure into its chart and credits them in `notes`, if a panel takes them.
void add_guides(const Figure& figure, const Published& published, chart::LineChart& chart,
                std::vector<std::string>& notes);

/// Rows in the order of their values, the largest on top; one a series where several have a label in a row.
void sort_rows(chart::RowPanel& panel);

/// "64.5 G query bases/s"
std::string rate_text(double rate, const std::string& unit);

/// Published lines belong to GPUs and cross panels of GPUs only.
bool on_gpu(const Entry& entry);

bool is_synthetic(const Entry& entry);

/// The value of an axis of a record's point as text; empty where it has none.
std::string axis_text(const Entry& entry, std::string_view axis);

/// Work per joule, where it was measured.
std::optional<double> work_per_joule(const results::Record& record);
bool has_energy(const results::Record& record);

/// Name of a contestant: its variant, and "bowtie (whole process, all threads)" for another program.
std::string contestant(const Entry& entry);

/// Of the text of a `threads` axis: "1 thread", "all threads" for 0.
std::string thread_words(std::string_view threads);

/// What problems are put in order by: the family, then the axes' values, numbers by their size.
using ProblemOrder = std::pair<std::string, std::vector<AxisValue>>;
ProblemOrder problem_order(const Entry& entry);

/// The note on programs that ran as whole processes, where one of the entries is such.
void note_peers(const std::vector<const Entry*>& used, std::vector<std::string>& notes);

/// Whether it has fewer than results::kFewestSamples; tooltips then say how many.
bool has_few_samples(const Entry& entry);

/// The note on how many records have so few, where one has.
void note_few_samples(const std::vector<const Entry*>& used, std::vector<std::string>& notes);

/// "12 of 15 problems, those with the most records.", where some panels are not shown.
/// @param what  the plural of what a panel is of, and which are shown
void note_left_out(std::size_t shown, std::size_t all, std::string_view what,
                   std::vector<std::string>& notes);

/// Adds the note on hollow grey marks where one of the entries is disturbed.
void note_disturbed(const std::vector<const Entry*>& used, std::vector<std::string>& notes);

/// Adds the note on ringed marks where one of the entries is synthetic.
void note_synthetic(const std::vector<const Entry*>& used, std::vector<std::string>& notes);

/// Why a figure has nothing to draw: "no record of latency", "none of the 3 ok records of fm_index has a
/// ceiling".
std::string why_none(const ReportData& data, std::string_view family, std::string_view need);

/// The same of a report without a kernel.
std::string why_none_of_kernels(const ReportData& data, std::string_view need);

/// Names in the order of their numbers.
std::vector<std::string> unique_in_order(const std::map<double, std::string>& ordered);

}  // namespace gpuseq::reports
