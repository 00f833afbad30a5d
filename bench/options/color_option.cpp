#include "bench/options/color_option.hpp"

#include <CLI/CLI.hpp>
#include <string>

namespace gpuseq::bench {

void add_color_option(CLI::App& command, ColourChoice& choice) {
  command
      .add_option_function<std::string>(
          "--color",
          [&choice](const std::string& word) {
            choice = word == "always"  ? ColourChoice::always
                     : word == "never" ? ColourChoice::never
                                       : ColourChoice::automatic;
          },
          "Colour in what is printed; auto: on a terminal, unless NO_COLOR is set or TERM is dumb")
      ->check(CLI::IsMember({"auto", "always", "never"}));
}

}  // namespace gpuseq::bench
