#pragma once

namespace gpuseq::bench {

/// For a process that reads much and measures nothing, before it starts threads: they share one heap, and
/// blocks from 128 KiB on go back to the system when they are freed. Does nothing where the C library is not
/// glibc.
void return_freed_memory();

}  // namespace gpuseq::bench
