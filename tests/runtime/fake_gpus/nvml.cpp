// A libnvidia-ml.so.1 of GPUs that are cut into slices: MIG is on unless FAKE_MIG is 0.

#include <cstdlib>
#include <cstring>

#pragma GCC diagnostic ignored "-Wmissing-declarations"

extern "C" {

int nvmlInit_v2() {
  return 0;
}
const char* nvmlErrorString(int) {
  return "of a fake NVML";
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** handle) {
  *handle = const_cast<char*>(bus);
  return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
  const char* given = std::getenv("FAKE_MIG");
  *current = *pending = given == nullptr || std::strcmp(given, "0") != 0;
  return 0;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* mj) {
  *mj = 7000;
  return 0;
}
int nvmlDeviceGetPowerUsage(void*, unsigned* mw) {
  *mw = 300'000;
  return 0;
}
}
