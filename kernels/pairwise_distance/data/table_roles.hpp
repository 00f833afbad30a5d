#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/pairwise_distance/data/instance_files.hpp"

namespace gpuseq::pairwise_distance {

/// The values of a table without its first row and column.
struct TableBody {
  bool real = false;
  bool symbols = false;  // values are symbols, including digits
  u64 values = 0;        // number of values that are not missing
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();
  std::array<bool, kMostSymbols> seen = {};  // by code
};

/// The first row and the first column of a table, which have values or labels.
struct TableEdges {
  std::optional<std::string_view> corner;  // nullopt: the first row has one field less, or only one field
  std::span<const std::string_view> top;   // the first row, right of the corner
  std::span<const std::string> side;       // the first column, below the corner; empty if there
                                           // is only one column
  std::size_t top_line = 1;                // line in the file
  u64 rows = 0;                            // rows below the first
  bool one_column = false;
  bool commented = false;  // the first row began with '#' ...
  bool is_remark = false;  // ... and a blank after it
  bool decimal_commas = false;
};

struct TableRoles {
  bool header = false;  // the first row is a header
  bool names = false;   // the first column has names
};

/// Rejects the field of a row (both from 0). @param remark  empty: the field is not a value
using RefuseField = std::function<void(u64 row, std::size_t field, std::string_view remark)>;

/// Determines whether the first row is a header and the first column has names: by the options if they are
/// given, else by the rules of the README. If both readings are possible, calls `refuse`, which throws.
TableRoles roles_of(const TableEdges& edges, const TableBody& body, const Reading& how,
                    const RefuseField& refuse);

}  // namespace gpuseq::pairwise_distance
