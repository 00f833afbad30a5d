#include "kernels/fm_index/family.hpp"
