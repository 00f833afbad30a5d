#include "bench/options/seconds_option.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace gpuseq::bench {

CLI::Validator as_seconds() {
  static constexpr double kMost = 31'536'000;
  return CLI::Validator(
      [](std::string& text) {
        std::string digits = text;
        double unit_s = 1;
        for (const auto& [unit, seconds] : {std::pair{"min", 60.0}, {"h", 3600.0}, {"s", 1.0}})
          if (digits.ends_with(unit)) {
            digits.resize(digits.size() - std::string_view(unit).size());
            unit_s = seconds;
            break;
          }
        double value = 0;
        const bool number = CLI::detail::lexical_cast(digits, value);
        if (!number || !(value > 0) || !(value * unit_s <= kMost))
          return fmt::format("{} is no time above 0 and up to {} seconds; allowed: 90, 90s, 2min, 1h", text,
                             kMost);
        text = fmt::format("{}", value * unit_s);
        return std::string();
      },
      "SECONDS");
}

}  // namespace gpuseq::bench
