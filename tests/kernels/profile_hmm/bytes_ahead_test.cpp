#include "kernels/profile_hmm/data/bytes_ahead.hpp"

#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/gzip.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::profile_hmm {
namespace {

/// Many blocks of bytes that do not compress well.
std::string long_text() {
  std::string text;
  for (u64 i = 0, state = 1; i < 3'000'000; ++i)
    text += static_cast<char>('A' + ((state *= 25214903917) >> 40) % 20);
  return text;
}

std::string all_of(const NextBytes& next) {
  std::string text;
  for (std::string_view bytes = next(); !bytes.empty(); bytes = next()) text += bytes;
  return text;
}

TEST(ProfileHmmBytesAhead, AreThoseOfTheFileGzipOrPlain) {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(), std::string("x"), long_text()}) {
    EXPECT_TRUE(all_of(bytes_ahead(folder.write("plain", text))) == text) << text.size();
    EXPECT_TRUE(all_of(bytes_ahead(folder.write("gzip", gzip(text)))) == text) << text.size();
    const NextBytes left = bytes_ahead(folder.write("members", gzip(text) + gzip(text)));
    EXPECT_TRUE(text + text == all_of(left)) << text.size();
    EXPECT_TRUE(left().empty());
  }
}

TEST(ProfileHmmBytesAhead, GiveWhatCameBeforeAnErrorAndThenTheError) {
  const TemporaryFolder folder;
  const std::string text = long_text(), compressed = gzip(text);
  const NextBytes next = bytes_ahead(folder.write("cut", compressed.substr(0, compressed.size() / 2)));
  std::string before;
  expect_error_text([&] {
    while (true) before += next();
  });
  EXPECT_GT(before.size(), text.size() / 4);
  EXPECT_TRUE(text.starts_with(before));
  EXPECT_THROW(next(), UsageError);
  EXPECT_THROW(bytes_ahead(folder.path() / "missing"), UsageError);
}

TEST(ProfileHmmBytesAhead, MayBeLeftUnread) {
  const TemporaryFolder folder;
  const std::string file = folder.write("gzip", gzip(long_text()));
  bytes_ahead(file);
  EXPECT_FALSE(bytes_ahead(file)().empty());
}

}  // namespace
}  // namespace gpuseq::profile_hmm
