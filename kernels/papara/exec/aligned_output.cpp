#include "kernels/papara/exec/aligned_output.hpp"

#include <fmt/format.h>

#include <ostream>
#include <set>

namespace gpuseq::papara {

std::string aligned_row(Alphabet alphabet, std::span<const u8> bases, const Alignment& alignment, u32 sites) {
  std::string row(sites, '-');
  for (std::size_t base = 0; base < bases.size(); ++base)
    if (const auto& [site, inserted] = alignment.bases[base]; !inserted)
      row[site] = letter_of(alphabet, bases[base]);
  return row;
}

DistinctNames distinct_names(const ReferenceAlignment& reference, const Queries& queries) {
  DistinctNames result;
  std::set<std::string> taken(reference.names.begin(), reference.names.end());
  for (const u32 position : queries.source) {
    std::string name = queries.names[position];
    if (!taken.insert(name).second) {
      ++result.renamed;
      do name += fmt::format("_query{}", position + 1);
      while (!taken.insert(name).second);
    }
    result.of_queries.push_back(std::move(name));
  }
  return result;
}

void write_aligned(std::ostream& out, bool phylip, const ReferenceAlignment& reference,
                   std::span<const std::string> names, const Queries& queries,
                   std::span<const Alignment> alignments) {
  const auto sites = static_cast<u32>(reference.sites());
  if (phylip) out << reference.rows.size() + queries.count() << ' ' << sites << '\n';
  const auto write = [&](const std::string& name, const std::string& row) {
    if (phylip)
      out << name << ' ' << row << '\n';
    else
      out << '>' << name << '\n' << row << '\n';
  };
  for (std::size_t row = 0; row < reference.rows.size(); ++row)
    write(reference.names[row], reference.rows[row]);
  for (u32 query = 0; query < queries.count(); ++query)
    write(names[query], aligned_row(reference.alphabet, queries.row(query), alignments[query], sites));
}

bool is_phylip_name(const std::filesystem::path& path) {
  return path.extension() == ".phy" || path.extension() == ".phylip";
}

}  // namespace gpuseq::papara
