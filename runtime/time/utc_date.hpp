#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace gpuseq {

/// Whether a text is a date that exists: "2026-11-20", or with a time of day in UTC "2026-11-20T21:26:08Z".
bool is_utc_date(std::string_view text);

/// @param place  of the text, which the message starts with: "run.json: /started"
/// @throws UsageError for what is_utc_date() refuses
void require_utc_date(std::string_view text, std::string_view place);

/// The same for the texts of these names in a JSON object of a file, where they are.
template <typename Json>
void require_utc_dates(const Json& object, std::initializer_list<const char*> names,
                       const std::string& file) {
  if (!object.is_object()) return;
  for (const char* name : names)
    if (const auto found = object.find(name); found != object.end() && found->is_string())
      require_utc_date(found->template get<std::string>(), file + ": /" + name);
}

}  // namespace gpuseq
