#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace gpuseq {

/// Prints to standard output or standard error. A stream that takes no more (closed, a full disk, a reader
/// that went away) is no exception, for what is measured must not be lost with it: the stream remembers the
/// failure, and the program ends by telling of it.
template <typename... T>
void say(std::FILE* to, fmt::format_string<T...> format, T&&... args) {
  const std::string text = fmt::format(format, std::forward<T>(args)...);
  std::fwrite(text.data(), 1, text.size(), to);
}

template <typename... T>
void say(fmt::format_string<T...> format, T&&... args) {
  say(stdout, format, std::forward<T>(args)...);
}

}  // namespace gpuseq
