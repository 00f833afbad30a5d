#include <gtest/gtest.h>

#include "kernels/exact_match/data/suffix_tree.hpp"
#include "kernels/exact_match/exec/match_writer.hpp"
#include "kernels/exact_match/oracle.hpp"
#include "runtime/contract/errors.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/mutate.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::exact_match {
namespace {

/// Records that are read can be used: a tree is built, and the oracle's matches are written.
void use(const Reference& reference, const Queries& queries, u32 min_length) {
  ASSERT_EQ(reference.begin.back(), reference.text.size());
  ASSERT_EQ(queries.begin.back(), queries.letters.size());
  ThreadPool pool(1);
  const SuffixTree tree = build_tree(reference.text, pool);
  ASSERT_EQ(tree.leaves.size(), reference.letters() - reference.others);
  const Search search{.min_length = min_length, .mode = Mode::mum, .both_strands = true};
  std::vector<u64> all(queries.count());
  for (u64 query = 0; query < all.size(); ++query) all[query] = query;
  const MatchList list = Oracle(reference, search).find(queries, all, pool);
  std::string out;
  MatchWriter(reference, search).write(out, queries, list, 0, list.end.size());
  EXPECT_EQ(out.empty(), queries.count() == 0);
}

TEST(ExactMatchFuzz, EveryMutationOfReferencesAndQueriesIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(1);
  int read = 0, refused = 0;
  const std::string fasta = ">a one\nACGTN\nGGTCA\n>b\n>c\r\nAcgtryACG\n\n>\nTTGACCA\n";
  const std::string fastq = "@a one\nACGTN\n+\nIIIII\n@b\n\n+\n\n@c\nTTGACCA\n+c\nIIIIIII\n";
  for (int i = 0; i < 600; ++i) {
    std::string one = fasta, other = random.below(2) == 0 ? fasta : fastq;
    if (i % 10 != 0)
      gpuseq::testing::mutate(random, ">@+\n\r \tNacgtX-*", random.below(2) == 0 ? one : other, 4);
    if (random.below(8) == 0) other = gzip(other);
    try {
      use(read_reference(folder.write("r", one)), read_queries(folder.write("q", other), 0),
          1 + static_cast<u32>(random.below(8)));
      ++read;
    } catch (const UsageError& error) {
      EXPECT_FALSE(std::string_view(error.what()).empty());
      ++refused;
    }
  }
  EXPECT_GT(read, 80);
  EXPECT_GT(refused, 80);
}

}  // namespace
}  // namespace gpuseq::exact_match
