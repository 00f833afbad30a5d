#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/cell_rates.hpp"

/// Reading of PaPaRa records and of the paper's tables that the family's figures share. Rates are drawn in
/// GCUPS, 1e9 cells of the band a second.
namespace gpuseq::reports::papara {

/// Sizes of a problem; `bases` of a query, 0 where queries differ in length.
struct Shape {
  double references = 0, sites = 0, queries = 0, bases = 0;
  bool of_protein = false;  // bases are amino acids; what is published has none
  double band_cells = 0;    // m (n - m + 1) of each alignment: what our rates count
  double all_cells() const { return references * queries * bases * sites; }
  /// " of 100 bases"; nothing where queries differ in length but for the alphabet.
  std::string query_text() const;
};
/// Of a record, from its facts; of a published value, from its place. None where a size is missing.
std::optional<Shape> shape_of(const Entry& entry);
std::optional<Shape> shape_of(const Fact& fact);

/// "8 bits", "s16x2"; "32 bits" where a variant has but one.
std::string arithmetic_of(const Entry& entry);

/// Widths of scores in the order in which lines show them; `s16x2` and `16 bits` are one.
const std::vector<std::string>& widths();
std::string width_of(const Entry& entry);

/// `hybrid` runs on the CPU and on GPUs; it is compared with its parts and not with them.
bool is_hybrid(const Entry& entry);

/// The column of the paper's tables 1 and 2 that a record is compared with: "GPU", "Seq" on one thread of a
/// CPU, else "SSE(4)".
std::string column_of(const Entry& entry);

}  // namespace gpuseq::reports::papara
