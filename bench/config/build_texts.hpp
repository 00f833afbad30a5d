#pragma once

namespace gpuseq::bench {

/// Texts of a build, with fixed sizes and unknown to all other files: the address of kernel code, and so the
/// speed of its loops, must not depend on the folder and commit of the build. (If inlined, a longer path
/// moves all code behind it; this made one loop 5 % slower.)
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
