#pragma once

#include <filesystem>

#include "runtime/io/byte_source.hpp"

namespace gpuseq::profile_hmm {

/// The bytes of a file like ByteSource. For a gzip file a thread decompresses blocks in advance; the
/// thread ends with the last copy of the returned function. Plain files and pipes, which may block for
/// long, are read on demand.
/// @throws UsageError like ByteSource: at once, or when unreadable bytes are requested
NextBytes bytes_ahead(const std::filesystem::path& path);

}  // namespace gpuseq::profile_hmm
