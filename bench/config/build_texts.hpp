#pragma once

namespace gpuseq::bench {

/// What a build tells its program, at fixed sizes and known to no other file: where the code of kernels lies,
/// and with that how fast their loops are, must not depend on the folder and the commit that a program was
/// built from. (Inlined, a longer path moved all behind it, and one loop became 5 % slower.)
struct BuildTexts {
  char version[64];
  char commit[128];
  char compiler[128];
  char flags[4096];
  char build_type[64];
  char source_dir[4096];
};
extern const BuildTexts kBuildTexts;

}  // namespace gpuseq::bench
