#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "kernels/papara/data/reference_alignment.hpp"
#include "kernels/papara/data/tree.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/system/random.hpp"
#include "tests/kernels/papara/tree_graph.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/mutate.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::papara {
namespace {

/// How many of many mutations of generated texts were read and refused; anything but a UsageError ends the
/// test.
struct Outcomes {
  int read = 0, refused = 0;
};

Outcomes outcomes(int count, Random& random, std::string_view telling,
                  const std::function<std::string()>& generate,
                  const std::function<void(const std::string&)>& use) {
  Outcomes result;
  for (int i = 0; i < count; ++i) {
    std::string text = generate();
    if (i % 10 != 0) gpuseq::testing::mutate(random, telling, text);
    try {
      use(text);
      ++result.read;
    } catch (const UsageError& usage) {
      EXPECT_FALSE(std::string_view(usage.what()).empty());
      ++result.refused;
    }
  }
  return result;
}

std::string random_newick(Random& random) {
  const testing::TreeGraph graph(2 + static_cast<u32>(random.below(12)), random);
  const auto edges = graph.all_edges();
  const auto [a, b] = edges[random.below(edges.size())];
  std::string text, plain = graph.newick_from_edge(a, b);
  for (const char letter : plain) {
    if ((letter == ',' || letter == ')') && random.below(3) != 0)
      text += fmt::format(":{}", random.uniform());
    if (random.below(20) == 0) text += random.below(2) == 0 ? "[comment]" : "\n ";
    text += letter;
  }
  return text;
}

std::string random_row(Random& random, std::size_t letters) {
  std::string row;
  for (std::size_t i = 0; i < letters; ++i) row += "ACGTacgtRYN-.?"[random.below(14)];
  return row;
}

std::string random_fasta(Random& random) {
  std::string text;
  const std::size_t sites = 1 + random.below(60);
  for (u64 row = 0, rows = 1 + random.below(6); row < rows; ++row) {
    std::string letters = random_row(random, sites);
    if (random.below(2) == 0) letters.insert(random.below(sites), 1, '\n');
    text += fmt::format(">row{} text\n{}\n", row, letters);
  }
  return text;
}

std::string random_phylip(Random& random) {
  const u64 rows = 1 + random.below(5), blocks = 1 + random.below(3), width = 1 + random.below(20);
  std::string text = fmt::format("{} {}\n", rows, blocks * width);
  const bool interleaved = random.below(2) == 0;
  for (u64 i = 0; i < rows * blocks; ++i) {
    const u64 row = interleaved ? i % rows : i / blocks, block = interleaved ? i / rows : i % blocks;
    if (block == 0) text += fmt::format("row{} ", row);
    text += random_row(random, width) + "\n";
  }
  return text;
}

TEST(PaparaFuzz, EveryMutationOfATreeIsReadOrRefused) {
  Random random(41);
  const auto [read, refused] = outcomes(
      5000, random, "()[]{}':;,.-e01 \n", [&] { return random_newick(random); },
      [](const std::string& text) {
        const Tree tree = parse_tree(text, "tree");
        std::ostringstream once, twice;
        write_tree(tree, once);
        write_tree(parse_tree(once.str(), "written"), twice);
        EXPECT_EQ(once.str(), twice.str()) << text;
      });
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 2000);
}

void use_alignment(const TemporaryFolder& folder, Random& random, const std::string& text) {
  const bool compressed = random.below(4) == 0;
  const ReferenceAlignment alignment =
      read_alignment(folder.write("rows", compressed ? gzip(text) : text), Alphabet::dna);
  ASSERT_FALSE(alignment.rows.empty());
  EXPECT_EQ(alignment.names.size(), alignment.rows.size());
  EXPECT_EQ(alignment.lines.size(), alignment.rows.size());
  for (const std::string& row : alignment.rows) {
    EXPECT_EQ(row.size(), alignment.sites());
    for (const char letter : row) EXPECT_NE(letter_set(Alphabet::dna, letter), 0u);
  }
}

TEST(PaparaFuzz, EveryMutationOfAFastaAlignmentIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(42);
  const auto [read, refused] = outcomes(
      500, random, "\n\r>ACGT-.?# 0", [&] { return random_fasta(random); },
      [&](const std::string& text) { use_alignment(folder, random, text); });
  EXPECT_GT(read, 75);
  EXPECT_GT(refused, 150);
}

TEST(PaparaFuzz, EveryMutationOfAPhylipAlignmentIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(43);
  const auto [read, refused] = outcomes(
      500, random, "\n\r>ACGT-.?# 0123456789", [&] { return random_phylip(random); },
      [&](const std::string& text) { use_alignment(folder, random, text); });
  EXPECT_GT(read, 75);
  EXPECT_GT(refused, 150);
}

TEST(PaparaFuzz, RandomBytesAreNoTreeAndNoAlignment) {
  const TemporaryFolder folder;
  Random random(44);
  for (int i = 0; i < 300; ++i) {
    std::string content(random.below(200), '\0');
    for (char& byte : content) byte = static_cast<char>(random.below(256));
    EXPECT_THROW(parse_tree(content, "tree"), UsageError);
    EXPECT_THROW(read_alignment(folder.write("rows", content), Alphabet::dna), UsageError);
  }
}

}  // namespace
}  // namespace gpuseq::papara
