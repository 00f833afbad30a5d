#include "kernels/pairwise_distance/exec/distance_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <ostream>

namespace gpuseq::pairwise_distance {
namespace {

constexpr std::size_t kPhylipNameLetters = 10;

/// Text of all rows, made by all threads and written in order, some rows at a time.
template <typename Append>
void write_rows(std::ostream& out, u64 rows, ThreadPool& pool, Append append) {
  constexpr u64 kRowsAtOnce = 256;
  std::vector<std::string> texts(std::min(rows, kRowsAtOnce));
  for (u64 first = 0; first < rows; first += kRowsAtOnce) {
    const u64 count = std::min(kRowsAtOnce, rows - first);
    pool.parallel_for(count, 4, [&](std::size_t begin, std::size_t end) {
      for (u64 i = begin; i < end; ++i) {
        texts[i].clear();
        append(texts[i], first + i);
        texts[i] += '\n';
      }
    });
    for (u64 i = 0; i < count; ++i) out << texts[i];
  }
}

u32 compared(const DistanceTable& table, u64 a, u64 b) {
  const Distances& distances = table.distances;
  return distances.compared.empty() ? static_cast<u32>(table.instances.attributes)
                                    : distances.compared[a * distances.count + b];
}

void append_number(std::string& text, u32 number) {
  const fmt::format_int digits(number);
  text.append(digits.data(), digits.size());
}

/// @param similar  of genotypes, the share of alleles that a pair has in common, and not that it has not
void append_distance(std::string& text, const DistanceTable& table, u64 a, u64 b, bool similar) {
  const u32 attributes = compared(table, a, b), sum = table.distances.at(a, b);
  if (attributes == 0) {
    text += "NA";
  } else if (is_real(table.metric)) {
    fmt::format_to(std::back_inserter(text), "{}", std::bit_cast<float>(sum));
  } else if (table.metric != Metric::ibs) {
    append_number(text, sum);
  } else {
    const double alleles = 2.0 * attributes;
    fmt::format_to(std::back_inserter(text), "{}", (similar ? alleles - sum : sum) / alleles);
  }
}

/// A name that stays one field.
std::string field(std::string name, std::string_view separators, char instead) {
  std::ranges::replace_if(
      name, [&](char letter) { return separators.find(letter) != std::string_view::npos; }, instead);
  return name;
}

template <typename AppendEntry>
void write_square(std::ostream& out, const DistanceTable& table, ThreadPool& pool, AppendEntry append_entry) {
  const auto name = [&](u64 i) { return field(table.instances.names[i], "\t\r\n", ' '); };
  out << "name";
  for (u64 i = 0; i < table.instances.count; ++i) out << '\t' << name(i);
  out << '\n';
  write_rows(out, table.instances.count, pool, [&](std::string& text, u64 a) {
    text += name(a);
    for (u64 b = 0; b < table.instances.count; ++b) {
      text += '\t';
      append_entry(text, a, b);
    }
  });
}

}  // namespace

void write_tsv(std::ostream& out, const DistanceTable& table, ThreadPool& pool) {
  write_square(out, table, pool,
               [&](std::string& text, u64 a, u64 b) { append_distance(text, table, a, b, true); });
}

void write_compared(std::ostream& out, const DistanceTable& table, ThreadPool& pool) {
  write_square(out, table, pool,
               [&](std::string& text, u64 a, u64 b) { append_number(text, compared(table, a, b)); });
}

void write_phylip(std::ostream& out, const DistanceTable& table, ThreadPool& pool) {
  out << "    " << table.instances.count << '\n';
  write_rows(out, table.instances.count, pool, [&](std::string& text, u64 a) {
    fmt::format_to(std::back_inserter(text), "{:<{}}", field(table.instances.names[a], " \t\r\n", '_'),
                   kPhylipNameLetters);
    for (u64 b = 0; b < a; ++b) {
      text += ' ';
      append_distance(text, table, a, b, false);
    }
  });
}

}  // namespace gpuseq::pairwise_distance
