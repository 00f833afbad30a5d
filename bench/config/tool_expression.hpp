#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Placeholders and counts in descriptions of external tools.
namespace gpuseq::bench {

/// The names in braces of a text. @throws UsageError for an unmatched brace
std::vector<std::string> placeholders(std::string_view text);

/// The text with every {name} replaced; {{ and }} are literal braces. @throws UsageError as placeholders()
/// and `value` do
std::string expand(std::string_view text, const std::function<std::string(const std::string&)>& value);

/// @throws UsageError if the text is not a count
void check_count(std::string_view expression);

/// Lower-case letters, digits and '_', but not the name of a place.
bool is_axis_name(std::string_view name);

/// A count of the form "function(argument)".
struct CountCall {
  std::string_view function, argument;
};

/// nullopt if the text is not of this form.
std::optional<CountCall> count_call(std::string_view text);

/// nullopt if the text is not a finite number of at least 0.
std::optional<double> count_number(std::string_view text);

}  // namespace gpuseq::bench
