#include "bench/export/third_party.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/contract/errors.hpp"

namespace gpuseq::bench {
namespace {

constexpr std::array<ThirdParty, 6> kThirdParties{{
    {"divsufsort.h", "divsufsort.h", "divsufsort", "DIVSUFSORT", "libdivsufsort-dev"},
    {"divsufsort64.h", "divsufsort64.h", "divsufsort64", "DIVSUFSORT64", "libdivsufsort-dev"},
    {"fmt/", "fmt/format.h", "fmt", "FMT", "libfmt-dev"},
    {"hwy/", "hwy/highway.h", "hwy", "HIGHWAY", "libhwy-dev"},
    {"xxhash.h", "xxhash.h", "xxhash", "XXHASH", "libxxhash-dev"},
    {"zlib.h", "zlib.h", "z", "ZLIB", "zlib1g-dev"},
}};

/// Headers of the compiler, the C library, Linux or the CUDA toolkit.
bool comes_with_the_compiler(std::string_view include) {
  static constexpr std::array<std::string_view, 11> kKnown{
      "fcntl.h",    "immintrin.h",        "pthread.h",  "sched.h",        "stdint.h",  "unistd.h",
      "sys/mman.h", "cuda_runtime_api.h", "sys/stat.h", "sys/resource.h", "sys/time.h"};
  const bool cpp = include.find_first_of("./") == std::string_view::npos;
  return cpp || std::ranges::find(kKnown, include) != kKnown.end();
}

}  // namespace

std::vector<ThirdParty> third_parties_of(const std::set<std::string>& includes) {
  std::vector<ThirdParty> found;
  for (const ThirdParty& one : kThirdParties)
    if (std::ranges::any_of(includes, [&](const std::string& include) {
          return one.includes.ends_with('/') ? include.starts_with(one.includes) : include == one.includes;
        }))
      found.push_back(one);
  for (const std::string& include : includes)
    if (!comes_with_the_compiler(include) &&
        std::ranges::none_of(found, [&](const ThirdParty& one) { return include.starts_with(one.includes); }))
      throw ResourceError(
          fmt::format("{}: is included by the exported sources, and its origin is unknown", include));
  return found;
}

}  // namespace gpuseq::bench
