// A plugin whose functions are those of a Python module: the file that GPUSEQ_PYTHON_PLUGIN names, such as
// hamming_cupy.py. The module runs in the worker of the run, and takes addresses as integers.
//
//   g++ -O2 -std=c++20 -shared -fPIC -I runtime/plugin $(python3-config --includes)
//     examples/plugin/python_plugin.cpp -o libpython_plugin.so $(python3-config --ldflags --embed)

#include <Python.h>
#include <dlfcn.h>

#include <cstdlib>
#include <string>

#include "gpuseq_plugin.h"

namespace {

PyObject* module = nullptr;  // of this process
std::string reason;          // of the last failure

const char* failed() {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  PyObject* text = PyObject_Str(value == nullptr ? Py_None : value);
  reason = PyUnicode_AsUTF8(text);
  return reason.c_str();
}

bool load() {
  if (module != nullptr) return true;
  const char* file = std::getenv("GPUSEQ_PYTHON_PLUGIN");
  if (file == nullptr) return false;
  const std::string path = file;
  const auto slash = path.rfind('/');
  Dl_info python{};  // Python's own extensions look for its symbols among the global ones
  dladdr(reinterpret_cast<void*>(&Py_InitializeEx), &python);
  dlopen(python.dli_fname, RTLD_NOW | RTLD_GLOBAL);
  Py_InitializeEx(0);
  PyObject* folder = PyUnicode_FromString(slash == std::string::npos ? "." : path.substr(0, slash).c_str());
  PyList_Insert(PySys_GetObject("path"), 0, folder);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  module = PyImport_ImportModule(name.substr(0, name.rfind('.')).c_str());
  if (module == nullptr) PyErr_Print();
  return module != nullptr;
}

// A word that the module defines; it stays as long as the module.
const char* word(const char* name) {
  PyObject* value = PyObject_GetAttrString(module, name);
  return value == nullptr ? "" : PyUnicode_AsUTF8(value);
}

const char* call(const char* function, PyObject* arguments, void** result = nullptr) {
  PyObject* callable = PyObject_GetAttrString(module, function);
  PyObject* value = callable == nullptr ? nullptr : PyObject_CallObject(callable, arguments);
  Py_XDECREF(arguments);
  if (value == nullptr) return failed();
  if (result != nullptr)
    *result = value;
  else
    Py_DECREF(value);
  return nullptr;
}

unsigned long long address(const void* pointer) {
  return reinterpret_cast<unsigned long long>(pointer);
}

const char* prepare(const gpuseq_input* input, void** state) {
  if (!load()) return "the module cannot be loaded";
  const gpuseq_device& device = input->device;
  return call("prepare",
              Py_BuildValue("(KiKi)", address(input->problem), device.cuda_ordinal, address(device.stream),
                            device.threads),
              state);
}
const char* launch(void* state) {
  return call("launch", Py_BuildValue("(O)", state));
}
const char* answers(void* state, void* to) {
  return call("answers", Py_BuildValue("(OK)", state, address(to)));
}
void release(void* state) {
  Py_DECREF(static_cast<PyObject*>(state));
}

}  // namespace

extern "C" const gpuseq_plugin* gpuseq_plugin_at(uint32_t index) {
  static gpuseq_plugin plugin{};
  if (index != 0 || !load()) return nullptr;
  plugin = {.abi = GPUSEQ_PLUGIN_ABI,
            .family = word("FAMILY"),
            .name = word("NAME"),
            .summary = word("SUMMARY"),
            .device = word("DEVICE"),
            .prepare = prepare,
            .launch = launch,
            .answers = answers,
            .release = release};
  return &plugin;
}
