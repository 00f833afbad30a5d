#pragma once

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runtime/host_device.hpp"
#include "runtime/point.hpp"

namespace gpuseq {

/// A field of a kernel's compile-time parameters that is an axis: a number, or one of two words for a bool.
/// Axes, the text that is compiled and the kernel's name derive from a table of these.
template <class Policy>
struct Tunable {
  std::string_view axis;
  std::string_view field;  // in C++
  std::variant<u32 Policy::*, bool Policy::*> member;
  std::string_view letter;                     // before its value in a kernel's name
  std::array<std::string_view, 2> words = {};  // of false and true
  std::string_view meaning;

  /// Takes the value from a point; a word other than that of false is true.
  void assign(Policy& policy, const Point& point) const {
    if (const auto* number = std::get_if<u32 Policy::*>(&member))
      policy.** number = static_cast<u32>(point.integer(axis));
    else
      policy.*std::get<bool Policy::*>(member) = point.word(axis) != words[0];
  }

  /// The value as C++ or, `in_words`, as in a point.
  std::string text(const Policy& policy, bool in_words) const {
    if (const auto* number = std::get_if<u32 Policy::*>(&member)) return std::to_string(policy.**number);
    const bool value = policy.*std::get<bool Policy::*>(member);
    return in_words ? std::string(words[value]) : value ? "true" : "false";
  }
};

inline std::vector<AxisValue> axis_integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace gpuseq
