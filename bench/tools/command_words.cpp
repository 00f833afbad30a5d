#include "bench/tools/command_words.hpp"

#include <algorithm>

namespace gpuseq::bench {

std::vector<std::string> command_words(const CLI::App& command, const std::vector<std::string>& left_out) {
  std::vector<std::string> words{command.get_name()}, options;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_name();  // "--figure", or the name of a positional argument
    if (option->count() == 0 || std::ranges::find(left_out, name) != left_out.end()) continue;
    for (const std::string& value : option->results()) {
      if (option->get_positional())
        words.push_back(value);
      else
        options.push_back(option->get_items_expected_max() > 0 ? name + "=" + value : name);
    }
  }
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

}  // namespace gpuseq::bench
