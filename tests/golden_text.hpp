#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "runtime/contract/errors.hpp"

// English that the program prints is kept in tests/golden/texts/<folder of the test>.txt, where an editor can
// change it. tests/golden/README.md describes the files and how to accept new words.

namespace gpuseq {

/// Expects the text that is kept for this call in the running test. Temporary folders are compared as
/// <folder>, the checkout as <checkout>; the caller replaces everything else that differs between runs.
void expect_text(std::string_view text, const char* file = __builtin_FILE(), int line = __builtin_LINE());

/// The same of lines, such as the remarks of a plan.
void expect_text(const std::vector<std::string>& lines, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE());

/// Expects that `statement` throws exactly an `Error`, with the text that is kept for this call.
template <class Error = UsageError, class Statement>
void expect_error_text(const Statement& statement, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
  try {
    statement();
  } catch (const Error& error) {
    return expect_text(error.what(), file, line);
  }
  ADD_FAILURE_AT(file, line) << "threw nothing";
}

}  // namespace gpuseq
