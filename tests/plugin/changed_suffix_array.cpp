#include <csignal>

// The example of the documents, changed as a macro of the compiler says: GPUSEQ_LAUNCHES times the work,
// another answer, or a crash.

#ifndef GPUSEQ_LAUNCHES
#define GPUSEQ_LAUNCHES 1
#endif
#define gpuseq_plugin_at example_plugin_at
#include "examples/plugin/suffix_array.cpp"
#undef gpuseq_plugin_at

namespace {

const char* changed_launch(void* state) {
#ifdef GPUSEQ_CRASHES
  std::raise(SIGSEGV);
#endif
  for (int i = 0; i < GPUSEQ_LAUNCHES; ++i) launch(state);
  return nullptr;
}

const char* changed_answers(void* state, void* to) {
  answers(state, to);
#ifdef GPUSEQ_ANSWERS_WRONG
  static_cast<uint64_t*>(to)[3] += 1;
#endif
  return nullptr;
}

}  // namespace

extern "C" const gpuseq_plugin* gpuseq_plugin_at(uint32_t index) {
  static const gpuseq_plugin changed = [] {
    gpuseq_plugin plugin = kPlugin;
    plugin.launch = changed_launch;
    plugin.answers = changed_answers;
    return plugin;
  }();
  return index == 0 ? &changed : nullptr;
}
