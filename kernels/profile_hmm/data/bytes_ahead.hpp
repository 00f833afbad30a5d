#pragma once

#include <filesystem>

#include "runtime/io/byte_source.hpp"

namespace gpuseq::profile_hmm {

/// The bytes of a file as ByteSource has them. Of a gzip file a thread decompresses some ahead while those
/// before are used; the thread ends with the last copy of what is returned. Plain files and pipes, which may
/// have nothing for long, are read when they are asked for.
/// @throws UsageError as ByteSource does: at once, or where the bytes that cannot be had are asked for
NextBytes bytes_ahead(const std::filesystem::path& path);

}  // namespace gpuseq::profile_hmm
