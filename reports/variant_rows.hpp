#pragma once

#include <string>
#include <utility>

#include "reports/figure_tools.hpp"

/// A panel for each problem of a family with a row for each variant, its fastest point. Data sets made alike
/// are one problem, and a mark is their median (figures/data_sets.hpp).
namespace gpuseq::reports {

/// "bit_planes, avx512, 1 thread": the variant, and on a CPU its vectors and threads.
std::string variant_row(const Entry& entry);

/// "50 % of its ceiling"; empty where a record has none.
std::string ceiling_share(const Entry& entry);

/// Whether the paper states the value for the problem of the record.
using StatedOf = bool (*)(const Fact& fact, const Entry& entry);

/// What the rows show of their records; what may be null is left out.
struct VariantRows {
  const char* family = nullptr;
  chart::Quantity quantity = {};
  std::string label_unit = {};  // behind the value beside a mark
  Rate (*value)(const Entry& entry) = nullptr;
  std::string (*detail)(const Entry& entry) = nullptr;  // behind the label
  StatedOf stated_of = nullptr;
  std::string (*row)(const Entry& entry) = variant_row;
  /// Panels are in the order of this (null: of their work), and then of the problems' names.
  std::pair<double, double> (*order)(const Entry& entry) = nullptr;
  Contestants contestants = Contestants::ours;
};

Drawing by_variant(const VariantRows& rows, const Figure& figure, const ReportData& data,
                   const Published& published);

}  // namespace gpuseq::reports
