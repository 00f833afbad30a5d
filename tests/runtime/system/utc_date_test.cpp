#include "runtime/time/utc_date.hpp"

#include <gtest/gtest.h>

namespace gpuseq {
namespace {

TEST(UtcDate, DaysAndTimesThatExistAreDates) {
  for (const char* text :
       {"2026-11-20T21:26:08Z", "2024-02-29T00:00:00Z", "2016-12-31T23:59:60Z", "2026-11-20"})
    EXPECT_TRUE(is_utc_date(text)) << text;
}

TEST(UtcDate, EverythingElseIsNone) {
  for (const char* text : {"",
                           "now",
                           "2026",
                           "2026-13-01T00:00:00Z",
                           "2026-00-10",
                           "2026-02-30T10:00:00Z",
                           "2025-02-29",
                           "2026-11-31",
                           "2026-11-20T24:00:00Z",
                           "2026-11-20T10:60:00Z",
                           "2026-11-20T10:00:61Z",
                           "2026-11-20T10:00:00",
                           "2026-11-20T",
                           "2026-11-20 10:00:00Z",
                           "2026-11-20T10:00:00Z ",
                           "2026-11-20T10:00Z",
                           "2026-1-20",
                           "-026-11-20",
                           "20261120",
                           "0000-01-01",
                           "2026-11-2xT10:00:00Z",
                           "+026-11-20"})
    EXPECT_FALSE(is_utc_date(text)) << text;
}

}  // namespace
}  // namespace gpuseq
