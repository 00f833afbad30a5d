#pragma once

#include <CLI/CLI.hpp>

namespace gpuseq::bench {

/// For `transform` of an option of seconds: "90", "90s", "2min" or "1h", above 0 and up to a year.
CLI::Validator as_seconds();

}  // namespace gpuseq::bench
