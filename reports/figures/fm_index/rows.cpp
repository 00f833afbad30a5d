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
          .detail = layout_text(layout_of(entry)) + (is_synthetic(entry) ? ", synthetic" : ""),
          .hollow = is_peer(entry),
          .record = data.index_of(entry),
          .tips = tips_of(entry, rate, Unit::bases_per_s)};
}

}  // namespace gpuseq::reports::fm_index
