#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "runtime/contract/axes.hpp"
#include "runtime/contract/errors.hpp"
#include "runtime/cuda/device/host_device.cuh"

namespace gpuseq {

/// The words of an enumeration's values. The compiler checks that each value has its word at its index.
template <class Enum, std::size_t count>
struct EnumWords {
  std::array<std::string_view, count> words;

  constexpr std::string_view operator[](Enum value) const { return words[static_cast<std::size_t>(value)]; }
  /// @throws UsageError with the allowed words
  Enum value(std::string_view word) const {
    const auto found = std::find(words.begin(), words.end(), word);
    if (found != words.end()) return static_cast<Enum>(found - words.begin());
    throw UsageError(fmt::format("found '{}', allowed: {}", word, fmt::join(words, ", ")));
  }
};

/// Compilers print "Scheme::psi" for an enumerator and "(Scheme)12" for a value without a name.
template <class Enum, Enum value>
consteval bool is_enumerator() {
  const std::string_view function = __PRETTY_FUNCTION__;
  return function[function.find("value = ") + 8] != '(';
}

template <class Enum, std::size_t count>
consteval EnumWords<Enum, count> enum_words(const std::pair<Enum, std::string_view> (&values)[count]) {
  static_assert(!is_enumerator<Enum, static_cast<Enum>(count)>(), "an enumerator has no word");
  EnumWords<Enum, count> table{};
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(values[i].first) != i) throw "a word is not at its value's place";
    table.words[i] = values[i].second;
  }
  return table;
}

/// Names of a field of a kernel's compile-time parameters. The words are those of false and true or of an
/// enumeration's values; an empty word is left out of kernels' names.
struct TunableNames {
  std::string_view axis = {};                    // empty: not an axis
  std::string_view letter = {};                  // prefix of its value in a kernel's name
  std::span<const std::string_view> words = {};  // empty: a number
  std::string_view enumeration = {};  // C++ name: "gpuseq::fm_index::Scheme"; its values are the words
  std::string_view meaning = {};
  bool names_first = true;  // false: a value of 0, or the first word, is left out of kernels' names
};

/// The word of an axis whose value follows from the problem and the device.
inline constexpr std::string_view kAuto = "auto";

/// A field of a kernel's compile-time parameters: a number, a bool, or a value of an enumeration. Axes, the
/// compiled source and the kernel's name derive from a table of these.
template <class Policy>
struct Tunable : TunableNames {
  std::string_view field;  // C++ name
  u32 (*get)(const Policy&) = nullptr;
  void (*set)(Policy&, u32) = nullptr;

  /// Takes the value from a point. @returns false for "auto", whose value the family chooses
  /// @throws UsageError for other words outside the table
  bool assign(Policy& policy, const Point& point) const {
    if (words.empty()) {
      set(policy, static_cast<u32>(point.integer(axis)));
      return true;
    }
    const std::string& word = point.word(axis);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end() && word == kAuto) return false;
    if (found == words.end())
      throw UsageError(fmt::format("axis '{}': found '{}', allowed: {}", axis, word, fmt::join(words, ", ")));
    set(policy, static_cast<u32>(found - words.begin()));
    return true;
  }

  /// The value in C++.
  std::string text(const Policy& policy) const {
    const u32 value = get(policy);
    if (words.empty()) return std::to_string(value);
    if (enumeration.empty()) return value != 0 ? "true" : "false";
    return fmt::format("{}::{}", enumeration, words[value]);
  }

  /// Its part of a kernel's name: "_t128", "_full", or nothing.
  std::string name(const Policy& policy) const {
    const u32 value = get(policy);
    if (value == 0 && !names_first) return "";
    const std::string word = words.empty() ? std::to_string(value) : std::string(words[value]);
    if (word.empty()) return "";
    std::string name = "_";
    return name.append(letter).append(word);
  }
};

template <class Member>
struct MemberOf;
template <class Class, class Value>
struct MemberOf<Value Class::*> {
  using Policy = Class;
  using Type = Value;
};

/// "threads_per_block" of &Policy::threads_per_block.
template <auto member>
consteval std::string_view member_name() {
  std::string_view name = __PRETTY_FUNCTION__;
  name = name.substr(name.find("member = "));
  name = name.substr(0, name.find_first_of(";]"));
  return name.substr(name.rfind(':') + 1);
}

/// tunable<&Policy::threads_per_block>({.axis = "threads_per_block", .letter = "t"})
template <auto member>
constexpr auto tunable(TunableNames names) {
  using Policy = typename MemberOf<decltype(member)>::Policy;
  using Type = typename MemberOf<decltype(member)>::Type;
  return Tunable<Policy>{names, member_name<member>(),
                         [](const Policy& policy) { return static_cast<u32>(policy.*member); },
                         [](Policy& policy, u32 value) { policy.*member = static_cast<Type>(value); }};
}

/// Converts to a member of any type; used to count members.
struct AnyMember {
  template <class Value>
  constexpr operator Value() const;  // NOLINT(google-explicit-constructor): members are initialised by it
};

/// The members of an aggregate.
template <class Aggregate, class... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Aggregate{Members{}..., AnyMember{}}; })
    return member_count<Aggregate, Members..., AnyMember>();
  else
    return sizeof...(Members);
}

/// The tunables of all members of a policy, in order; a policy with a member without a row does not compile.
template <class Policy, std::size_t count>
consteval std::array<Tunable<Policy>, count> every_member(const Tunable<Policy> (&rows)[count]) {
  static_assert(count == member_count<Policy>(), "a member of the policy has no row");
  return std::to_array(rows);
}

/// A tunable as an axis of one scheme. A scheme's table of these alone determines its axes.
template <class Policy>
struct TunableAxis {
  Tunable<Policy> tunable;
  Axis axis;
};
template <class Policy>
using TunableAxes = std::vector<TunableAxis<Policy>>;

/// axis_of(kLanes, {1, 2, 4}, 2)
template <class Policy>
TunableAxis<Policy> axis_of(const Tunable<Policy>& tunable, std::vector<AxisValue> values, AxisValue usual) {
  return {tunable, listed_axis(std::string(tunable.axis), std::move(values), std::move(usual),
                               std::string(tunable.meaning))};
}

template <class Policy>
std::vector<Axis> axes_of(const TunableAxes<Policy>& table) {
  std::vector<Axis> axes;
  axes.reserve(table.size());
  for (const TunableAxis<Policy>& row : table) axes.push_back(row.axis);
  return axes;
}

/// Sets the values of a table's axes from a complete point.
template <class Policy>
void assign(Policy& policy, const Point& point, const TunableAxes<Policy>& table) {
  for (const TunableAxis<Policy>& row : table) row.tunable.assign(policy, point);
}

inline std::vector<AxisValue> axis_integers(std::initializer_list<std::int64_t> values) {
  return {values.begin(), values.end()};
}

}  // namespace gpuseq
