#include "reports/figures/fm_index/rows.hpp"

#include <algorithm>

namespace gpuseq::reports::fm_index {

chart::RowMark rate_mark(const ReportData& data, std::string row, const Entry& entry) {
  const Rate rate = rate_of(entry);
  return {.row = std::move(row),
          .value = rate.value,
          .low = rate.low,
          .high = rate.high,
          .series = entry.device_name,
          .label = format_value(rate.value, Unit::bases_per_s),
          .detail = to_string(layout_of(entry)) + (is_synthetic(entry) ? ", synthetic" : ""),
          .hollow = is_peer(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::bases_per_s)};
}

void sort_rows(chart::RowPanel& panel) {
  std::stable_sort(panel.marks.begin(), panel.marks.end(),
                   [](const chart::RowMark& a, const chart::RowMark& b) { return a.value > b.value; });
  for (const chart::RowMark& mark : panel.marks) panel.rows.push_back(mark.row);
}

}  // namespace gpuseq::reports::fm_index
