#include "runtime/io/expression.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/contract/errors.hpp"

namespace gpuseq {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Expression, IsFoundAnywhereInAText) {
  const Expression expression("v([0-9.]+)", "");
  EXPECT_TRUE(expression.is_in("plink v1.90 of 2018"));
  EXPECT_FALSE(expression.is_in("plink 1.90"));
  EXPECT_EQ(expression.groups(), 1);
  EXPECT_EQ(expression.first_group("plink v1.90 of 2018"), "1.90");
  EXPECT_EQ(expression.first_group("plink"), std::nullopt);
}

TEST(Expression, NamesTheMistakeAndItsPlace) {
  EXPECT_THAT([] { Expression("ab[c", "--state "); },
              ThrowsMessage<UsageError>(AllOf(HasSubstr("--state ab[c: missing ]"), HasSubstr("at byte 3"))));
  EXPECT_THAT([] { Expression("((a{1000}){1000}){1000}", "--state "); },
              ThrowsMessage<UsageError>(HasSubstr("--state ((a{1000})")));
}

TEST(Expression, TakesTimeInProportionToTheTextWhateverItSays) {
  const std::string text(100'000, 'a');
  EXPECT_FALSE(Expression("(a*)*b$", "").is_in(text));
  EXPECT_FALSE(Expression("(a|aa)+$x", "").is_in(text));
  EXPECT_TRUE(Expression(std::string(20'000, 'a'), "").is_in(text));
}

}  // namespace
}  // namespace gpuseq
