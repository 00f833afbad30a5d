#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "runtime/io/sequence_reader.hpp"
#include "runtime/system/random.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

std::string random_letters(Random& random, std::string_view alphabet, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += alphabet[random.below(alphabet.size())];
  return text;
}

std::string random_fasta(Random& random) {
  std::string text;
  for (std::uint64_t i = 0, n = 1 + random.below(5); i < n; ++i) {
    text += ">s" + std::to_string(i) + " description\n";
    for (std::uint64_t line = 0; line <= random.below(4); ++line)
      text += random_letters(random, "ACGTNacgt", 1 + random.below(70)) + "\n";
  }
  return text;
}

std::string random_fastq(Random& random) {
  std::string text;
  for (std::uint64_t i = 0, n = 1 + random.below(5); i < n; ++i) {
    const std::size_t bases = 1 + random.below(60);
    text += "@r" + std::to_string(i) + "\n" + random_letters(random, "ACGTN", bases) + "\n+\n";
    text += random_letters(random, "!+@>I~", bases) + "\n";
  }
  return text;
}

void mutate(Random& random, std::string& text) {
  constexpr std::string_view kTelling("\n\r\0>@+ \t\x1f\x8b", 10);
  for (std::uint64_t i = 0, n = 1 + random.below(4); i < n && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size());
    const std::size_t length = random.below(std::min<std::size_t>(text.size() - at, 40) + 1);
    switch (random.below(6)) {
      case 0:
        text[at] = static_cast<char>(random.below(256));
        break;
      case 1:
        text[at] = kTelling[random.below(kTelling.size())];
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(random.below(text.size()), length));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
        break;
    }
  }
}

/// Reads and returns how many records there were, or -1 if the file was refused.
int outcome(const std::filesystem::path& file) {
  try {
    SequenceReader reader(file);
    int records = 0;
    while (const auto sequence = reader.next()) {
      EXPECT_EQ(sequence->quality.size(), reader.is_fastq() ? sequence->sequence.size() : 0);
      ++records;
    }
    return records;
  } catch (const UsageError&) {
    return -1;
  }
}

TEST(SequenceFuzz, EveryMutationOfAFileIsReadOrRefused) {
  const TemporaryFolder folder;
  Random random(2024);
  int read = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    std::string content = random.below(2) == 0 ? random_fasta(random) : random_fastq(random);
    const bool compressed = random.below(3) == 0;
    if (!compressed || random.below(2) == 0) mutate(random, content);
    if (compressed) {
      content = gzip(content);
      mutate(random, content);
    }
    (outcome(folder.write("input", content)) < 0 ? refused : read) += 1;
  }
  EXPECT_GT(read, 500);
  EXPECT_GT(refused, 2000);
}

TEST(SequenceFuzz, NoRecordIsReadFromRandomBytes) {
  const TemporaryFolder folder;
  Random random(7);
  for (int i = 0; i < 1000; ++i) {
    std::string content(random.below(300), '\0');
    for (char& byte : content) byte = static_cast<char>(random.below(256));
    if (i % 2 == 0) content = "\x1f\x8b\x08" + content;
    EXPECT_LE(outcome(folder.write("input", content)), 0);
  }
}

}  // namespace
}  // namespace gpuseq
