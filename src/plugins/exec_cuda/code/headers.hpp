// Standard headers for device code, which NVRTC has none of: the parts that kernels use.
#pragma once

#include <string>
#include <vector>

namespace op2::exec_cuda {

struct Headers {
  std::vector<const char *> names, texts;
};
Headers device_headers();
std::string device_headers_text(); // all of them, to tell versions apart

} // namespace op2::exec_cuda
