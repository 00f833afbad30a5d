#include "kernels/common/library/section_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/io/atomic_file.hpp"
#include "tests/golden_text.hpp"
#include "tests/runtime/temporary_folder.hpp"

namespace gpuseq::library {
namespace {

using ::testing::HasSubstr;

constexpr FileFormat kFormat{.magic = "GSQTEST0", .version = 3, .fields = 2, .sections = 2};

class SectionFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    write_section_file(path_, kFormat, std::array<u64, 2>{7, 8},
                       std::array{std::as_bytes(std::span(first_)), std::as_bytes(std::span(second_))});
    content_ = read_file(path_);
  }
  /// The message with which a file of this content is refused; empty if it is not.
  std::string refusal(const std::string& content) {
    folder_.write("index", content);
    try {
      ThreadPool pool(1);
      SectionFile(path_, kFormat).check_sums(pool);
      return {};
    } catch (const RefusedFile& error) {
      return error.what();
    }
  }
  std::string changed(std::size_t at, char value) const {
    std::string content = content_;
    content[at] = value;
    return content;
  }

  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "index";
  std::string first_ = "first section", second_ = "second";
  std::string content_;
};

TEST_F(SectionFileTest, GivesBackWhatWasWritten) {
  const SectionFile file(path_, kFormat);
  EXPECT_EQ(file.field(0), 7u);
  EXPECT_EQ(file.field(1), 8u);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.section(0).data()), file.section(0).size()),
            first_);
  EXPECT_EQ(std::string(reinterpret_cast<const char*>(file.section(1).data()), file.section(1).size()),
            second_);
  EXPECT_EQ(file.offset_of(1, 0) % kSectionAlignment, 0u);
}

TEST_F(SectionFileTest, RefusesAnyByteThatIsChangedAndSaysWhere) {
  for (std::size_t at = 0; at < kFormat.head_bytes(); ++at)
    EXPECT_THAT(refusal(changed(at, static_cast<char>(content_[at] ^ 0x10))), HasSubstr("at byte ")) << at;
  expect_text(refusal(changed(kSectionAlignment, 'F')));
  expect_text(refusal(changed(content_.size() - 1, 'D')));
}

TEST_F(SectionFileTest, RefusesFilesThatAreCutOrGoOn) {
  for (const std::size_t bytes :
       {std::size_t{0}, std::size_t{1}, std::size_t{39}, std::size_t{kFormat.head_bytes() - 1}})
    expect_text(refusal(content_.substr(0, bytes)));
  expect_text(refusal(content_.substr(0, content_.size() - 1)));
  expect_text(refusal(content_ + "x"));
}

TEST_F(SectionFileTest, RefusesAnotherFormat) {
  expect_text(refusal(changed(0, '\n')));
  expect_text(refusal(changed(8, 4)));
}

TEST_F(SectionFileTest, SaysWhyAFileCannotBeRead) {
  EXPECT_THROW(SectionFile(folder_.path() / "none", kFormat), UsageError);
  EXPECT_THROW(SectionFile(folder_.path(), kFormat), UsageError);
}

}  // namespace
}  // namespace gpuseq::library
