#include "kernels/pairwise_distance/exec/distance_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <ostream>

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::size_t kPhylipNameLetters = 10;

void append_number(std::string& text, u32 number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

/// A pair of a band.
struct Entry {
  u32 sum, compared;
};

Entry entry_of(const DistanceTable& table, const DistanceBand& band, u64 a, u64 b) {
  const u64 at = (a - band.first) * band.count + b;
  return {band.sum[at],
          band.compared.empty() ? static_cast<u32>(table.instances.attributes) : band.compared[at]};
}

/// @param similar  for genotypes, the share of alleles that a pair has in common instead of the
/// share that differs
void append_distance(std::string& text, Metric metric, const Entry& entry, bool similar) {
  if (entry.compared == 0) {
    text += "NA";
  } else if (is_real(metric)) {
    fmt::format_to(std::back_inserter(text), "{}", std::bit_cast<float>(entry.sum));
  } else if (metric != Metric::ibs) {
    append_number(text, entry.sum);
  } else {
    const double alleles = 2.0 * entry.compared;
    fmt::format_to(std::back_inserter(text), "{}", (similar ? alleles - entry.sum : entry.sum) / alleles);
  }
}

/// A name as a single field.
std::string field(std::string name, std::string_view separators, char instead) {
  std::ranges::replace_if(
      name, [&](char letter) { return separators.find(letter) != std::string_view::npos; }, instead);
  return name;
}

std::string square_name(const DistanceTable& table, u64 instance) {
  return field(table.instances.names[instance], "\t\r\n", ' ');
}

void append_row(std::string& text, const DistanceTable& table, const DistanceBand& band, TableFormat format,
                u64 a) {
  if (format == TableFormat::phylip) {
    fmt::format_to(std::back_inserter(text), "{:<{}}", field(table.instances.names[a], " \t\r\n", '_'),
                   kPhylipNameLetters);
    for (u64 b = 0; b < a; ++b) {
      text += ' ';
      append_distance(text, table.metric, entry_of(table, band, a, b), false);
    }
    return;
  }
  text += square_name(table, a);
  for (u64 b = 0; b < band.count; ++b) {
    text += '\t';
    const Entry entry = entry_of(table, band, a, b);
    if (format == TableFormat::compared)
      append_number(text, entry.compared);
    else
      append_distance(text, table.metric, entry, true);
  }
}

}  // namespace

void write_header(std::ostream& out, const DistanceTable& table, TableFormat format) {
  if (format == TableFormat::phylip) {
    out << "    " << table.instances.count << '\n';
    return;
  }
  out << "name";
  for (u64 i = 0; i < table.instances.count; ++i) out << '\t' << square_name(table, i);
  out << '\n';
}

/// All threads format the rows; they are written in order, some rows at a time.
void write_rows(std::ostream& out, const DistanceTable& table, const DistanceBand& band, TableFormat format,
                ThreadPool& pool) {
  constexpr u64 kRowsAtOnce = 256;
  std::vector<std::string> texts(std::min(band.rows, kRowsAtOnce));
  for (u64 first = 0; first < band.rows; first += kRowsAtOnce) {
    const u64 rows = std::min(kRowsAtOnce, band.rows - first);
    pool.parallel_for(rows, 4, [&](std::size_t begin, std::size_t end) {
      for (u64 i = begin; i < end; ++i) {
        texts[i].clear();
        append_row(texts[i], table, band, format, band.first + first + i);
        texts[i] += '\n';
      }
    });
    for (u64 i = 0; i < rows; ++i) out << texts[i];
  }
}

}  // namespace gpuseq::pairwise_distance
