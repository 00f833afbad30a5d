#include "tests/golden_text.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq {
namespace {

TEST(GoldenText, IsTheSameWhateverFoldersAre) {
  const TemporaryFolder folder;
  expect_text("written by an editor, in " + (folder.path() / "file").string() + "\n\nwith an empty line\n");
  expect_error_text([] { throw UsageError("found x, allowed: y"); });
}

TEST(GoldenText, FailsWhereAWordDiffers) {
  if (std::getenv("GPUSEQ_ACCEPT_TEXTS") != nullptr) GTEST_SKIP() << "accepts every text";
  EXPECT_NONFATAL_FAILURE(expect_text("other words"), "kept:\nkept words\nprinted:\nother words");
  EXPECT_NONFATAL_FAILURE(expect_text("more words"), "(no text is kept)");
  EXPECT_NONFATAL_FAILURE(expect_error_text([] {}), "threw nothing");
}

}  // namespace
}  // namespace gpuseq
