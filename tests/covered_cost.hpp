#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "runtime/contract/variant.hpp"

// Estimates of costs next to counts: no amount of an estimate is lower than the count.

namespace gpuseq {

inline constexpr double kRounding = 1 + 1e-9;

/// Each operation that is counted is in the estimate, and as often.
inline void expect_covered(const std::map<std::string, double>& counted,
                           const std::map<std::string, double>& estimated) {
  for (const auto& [operation, count] : counted) {
    if (count == 0) continue;
    const auto found = estimated.find(operation);
    ASSERT_NE(found, estimated.end()) << operation;
    EXPECT_LE(count, found->second * kRounding) << operation;
  }
}

inline void expect_covered(const Instructions& counted, const Instructions& estimated) {
  EXPECT_EQ(counted.target, estimated.target);
  expect_covered(counted.operations, estimated.operations);
  for (const DeviceInstructions& one : counted.by_device) {
    const auto named = std::ranges::find_if(estimated.by_device, [&](const DeviceInstructions& other) {
      return kind_of_device(other.device) == kind_of_device(one.device);
    });
    ASSERT_NE(named, estimated.by_device.end()) << one.device;
    EXPECT_EQ(one.target, named->target);
    expect_covered(one.operations, named->operations);
  }
}

inline void expect_covered(const Traffic& counted, const Traffic& estimated) {
  const std::size_t least =
      estimated.least_block_bytes == 0 ? estimated.block_bytes : estimated.least_block_bytes;
  EXPECT_EQ(counted.access, estimated.access);
  EXPECT_GE(counted.block_bytes, least);
  EXPECT_LE(counted.block_bytes, estimated.block_bytes);
  EXPECT_LE(counted.blocks, estimated.blocks * kRounding);
  EXPECT_LE(counted.footprint_bytes, estimated.footprint_bytes);
}

/// No count of a session is above its variant's estimate.
inline void expect_covered(const Cost& counted, const Cost& estimated) {
  EXPECT_EQ(counted.work.unit, estimated.work.unit);
  EXPECT_LE(counted.work.amount, estimated.work.amount * kRounding);
  EXPECT_EQ(counted.why_no_bound, estimated.why_no_bound);
  EXPECT_EQ(counted.why_no_bound.empty(), counted.traffic || counted.instructions);
  EXPECT_LE(counted.held.bytes(), estimated.held.bytes());
  for (const auto& [part, bytes] : counted.held.parts) {
    if (part.find(" on cuda:") != std::string::npos) continue;
    ASSERT_TRUE(estimated.held.parts.contains(part)) << part;
    if (part == kIndexPart) {
      EXPECT_LE(bytes, estimated.held.parts.at(part));
    }
  }
  ASSERT_EQ(counted.traffic.has_value(), estimated.traffic.has_value());
  if (counted.traffic) expect_covered(*counted.traffic, *estimated.traffic);
  ASSERT_EQ(counted.instructions.has_value(), estimated.instructions.has_value());
  if (counted.instructions) expect_covered(*counted.instructions, *estimated.instructions);
}

/// The estimate of a variant at a point, completed, covers a count.
inline void expect_covered(const Cost& counted, const Variant& variant, const Point& point,
                           const Point& problem) {
  SCOPED_TRACE(variant.name + " " + point.to_string() + " of " + problem.to_string());
  expect_covered(counted, variant.cost({variant.space.complete(point), problem, {}}));
}

}  // namespace gpuseq
