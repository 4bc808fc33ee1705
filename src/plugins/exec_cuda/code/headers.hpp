// Standard headers for device code, as NVRTC has none: the parts that kernels use.
#pragma once

#include <string>
#include <vector>

namespace op2::exec_cuda {

struct Header {
  const char *name, *text;
};
std::vector<Header> headers_of_cxx(); // headers_cxx.cpp

struct Headers {
  std::vector<const char *> names, texts;
};
Headers device_headers();
std::string device_headers_text(); // all of them, for the key of compiled code

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
