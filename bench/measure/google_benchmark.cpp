#include "bench/measure/google_benchmark.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "bench/config/schema_check.hpp"
#include "bench/measure/name_filter.hpp"
#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

[[noreturn]] void throw_malformed(const std::string& argument, std::string_view allowed) {
  throw UsageError(fmt::format("{}: allowed: {}", shortened(argument), allowed));
}

constexpr int kMostRepetitions = 1'000'000, kMostSamples = 1'000'000;
constexpr double kMostSeconds = 31'536'000;  // a year, as in a config

/// A number above 0 and up to `most`; nullopt for NaN.
template <typename Number>
std::optional<Number> number(std::string_view text, Number most) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || value > most)
    return std::nullopt;
  return value;
}

void take_min_time(BenchmarkFlags& flags, std::string_view value, const std::string& argument) {
  const char last = value.empty() ? '\0' : value.back();
  flags.min_samples.reset();
  flags.min_seconds.reset();
  if (last == 'x')
    flags.min_samples = number(value.substr(0, value.size() - 1), kMostSamples);
  else
    flags.min_seconds = number(value.substr(0, value.size() - (last == 's' ? 1 : 0)), kMostSeconds);
  if (!flags.min_samples && !flags.min_seconds)
    throw_malformed(argument, fmt::format("seconds (0.5 or 0.5s) up to {} or samples (10x) up to {}",
                                          kMostSeconds, kMostSamples));
}

std::string require_word(const std::string& value, const std::string& argument,
                         std::span<const std::string_view> allowed) {
  if (std::ranges::find(allowed, value) == allowed.end())
    throw_malformed(argument, fmt::format("{}", fmt::join(allowed, ", ")));
  return value;
}

constexpr std::array<std::string_view, 3> kFormats{"json", "csv", "console"};
constexpr std::array<std::string_view, 7> kYesOrNo{"true", "false", "yes", "no", "1", "0", "auto"};
constexpr std::array<std::string_view, 4> kTimeUnits{"ns", "us", "ms", "s"};

bool yes(const std::string& value, const std::string& argument) {
  if (value.empty()) return true;
  const std::string word = require_word(value, argument, std::span(kYesOrNo).first(6));
  return word == "true" || word == "yes" || word == "1";
}

/// For invalid values the library exits or uses another value, so values are checked first.
void check_forwarded(const std::string& name, const std::string& value, const std::string& argument) {
  if (name == "benchmark_report_aggregates_only" || name == "benchmark_display_aggregates_only" ||
      name == "benchmark_counters_tabular") {
    yes(value, argument);
  } else if (name == "benchmark_color") {
    require_word(value, argument, kYesOrNo);
  } else if (name == "benchmark_time_unit") {
    require_word(value, argument, kTimeUnits);
  } else if (name == "benchmark_context") {
    if (value.find('=') == std::string::npos || value.starts_with('='))
      throw_malformed(argument, "KEY=VALUE");
  } else {
    throw_malformed(argument,
                    "--benchmark_ and one of: color, context, counters_tabular, display_aggregates_only, "
                    "enable_random_interleaving, filter, format, list_tests, min_time, out, out_format, "
                    "repetitions, report_aggregates_only, time_unit");
  }
}

void take_flag(BenchmarkFlags& flags, const std::string& argument) {
  const std::size_t equals = argument.find('=');
  const std::string name = argument.substr(2, equals - 2);
  const std::string value = equals == std::string::npos ? "" : argument.substr(equals + 1);
  if (name == "benchmark_list_tests") {
    flags.list_tests = yes(value, argument);
  } else if (name == "benchmark_out") {
    flags.out = value;
  } else if (name == "benchmark_out_format") {
    flags.out_format = require_word(value, argument, kFormats);
  } else if (name == "benchmark_format") {
    flags.format = require_word(value, argument, kFormats);
  } else if (name == "benchmark_filter" && equals != std::string::npos) {
    flags.filter = value;
    NameFilter{value};
  } else if (name == "benchmark_min_time") {
    take_min_time(flags, value, argument);
  } else if (name == "benchmark_enable_random_interleaving") {
    flags.interleaved = yes(value, argument);
  } else if (name == "benchmark_repetitions") {
    const auto repetitions = number(value, kMostRepetitions);
    if (!repetitions) throw_malformed(argument, fmt::format("a number from 1 to {}", kMostRepetitions));
    flags.repetitions = *repetitions;
  } else {
    check_forwarded(name, value, argument);
    flags.forwarded.push_back(argument);
  }
}

}  // namespace

BenchmarkFlags take_benchmark_flags(std::vector<std::string>& arguments) {
  BenchmarkFlags flags;
  for (const std::string& argument : arguments)
    if (argument.starts_with("--benchmark_")) flags.given.push_back(argument);
  std::erase_if(arguments, [](const std::string& argument) { return argument.starts_with("--benchmark_"); });
  for (const std::string& argument : flags.given) take_flag(flags, argument);
  return flags;
}

void initialise_benchmark(const BenchmarkFlags& flags, const std::string& program) {
  std::vector<std::string> arguments{program};
  arguments.insert(arguments.end(), flags.forwarded.begin(), flags.forwarded.end());
  arguments.emplace_back("--benchmark_list_tests=false");  // overrides the environment
  std::vector<char*> pointers(arguments.size() + 1);       // nullptr at the end
  std::ranges::transform(arguments, pointers.begin(), [](std::string& argument) { return argument.data(); });
  int count = static_cast<int>(arguments.size());
  // The library keeps a pointer to the program's name.
  static std::string kept_name;
  kept_name = program;
  pointers[0] = kept_name.data();
  benchmark::Initialize(&count, pointers.data());
  if (count > 1)
    throw UsageError(fmt::format("{}: unknown, or its value is malformed; see the flags of Google Benchmark",
                                 pointers[1]));
}

std::vector<State> filtered(std::vector<State> states, const BenchmarkFlags& flags) {
  const NameFilter filter(flags.filter);
  if (filter.lets_all_through()) return states;
  std::erase_if(states, [&](const State& state) { return !filter.lets_through(state.key.to_string()); });
  return states;
}

}  // namespace gpuseq::bench
