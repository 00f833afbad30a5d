#include <nvtx3/nvToolsExt.h>

#include <cstdlib>
#include <fstream>

// A tool that NVTX loads: writes the names of ranges, and "end" at their ends, to the file that
// GPUSEQ_TEST_RANGES names.

namespace {

void write(const char* line) {
  if (const char* file = std::getenv("GPUSEQ_TEST_RANGES"))
    std::ofstream(file, std::ios::app) << line << '\n';
}
int push(const char* name) {
  write(name);
  return 0;
}
int pop() {
  write("end");
  return 0;
}

}  // namespace

extern "C" int InitializeInjectionNvtx2(NvtxGetExportTableFunc_t table_of) {
  const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(table_of(NVTX_ETID_CALLBACKS));
  NvtxFunctionTable functions = nullptr;
  unsigned size = 0;
  if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &functions, &size) == 0) return 0;
  *functions[NVTX_CBID_CORE_RangePushA] = reinterpret_cast<NvtxFunctionPointer>(push);
  *functions[NVTX_CBID_CORE_RangePop] = reinterpret_cast<NvtxFunctionPointer>(pop);
  return 1;
}
