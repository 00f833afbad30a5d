#include "results/statistics/inference_tables.hpp"

#include <numeric>

namespace gpuseq::results {
namespace {

/// Laws of as many counts as this are kept: more are forgotten and made again.
constexpr std::size_t kMostTables = 128;

/// Ways to place `a` values of one side among `b` of the other, by the number U of pairs in which it is
/// ahead: ways(a, b, u) = ways(a - 1, b, u - b) + ways(a, b - 1, u). As shares of all ways.
std::vector<double> shares_of_ways(std::size_t a, std::size_t b) {
  std::vector<std::vector<double>> fewer(a + 1), row(a + 1);
  for (std::size_t j = 0; j <= b; ++j) {
    for (std::size_t i = 0; i <= a; ++i) {
      std::vector<double> ways(i * j + 1, 0.0);
      if (i == 0 || j == 0) {
        ways[0] = 1;
      } else {
        for (std::size_t u = 0; u < row[i - 1].size(); ++u) ways[u + j] += row[i - 1][u];
        for (std::size_t u = 0; u < fewer[i].size(); ++u) ways[u] += fewer[i][u];
      }
      row[i] = std::move(ways);
    }
    fewer = row;
  }
  std::vector<double> shares = std::move(row[a]);
  const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= all;
  return shares;
}

/// The table of some counts, made where it is missing.
template <typename Tables, typename Make>
const typename Tables::mapped_type& table_of(Tables& tables, const typename Tables::key_type& counts,
                                             Make make) {
  if (const auto known = tables.find(counts); known != tables.end()) return known->second;
  if (tables.size() == kMostTables) tables.clear();
  return tables.emplace(counts, make()).first->second;
}

}  // namespace

const MedianLaw& InferenceTables::median_law(std::size_t values, std::size_t size) {
  return table_of(median_laws_, {values, size}, [&] { return MedianLaw(values, size); });
}

const std::vector<double>& InferenceTables::distribution_of_u(std::size_t a, std::size_t b) {
  return table_of(distributions_of_u_, {a, b}, [&] { return shares_of_ways(a, b); });
}

}  // namespace gpuseq::results
