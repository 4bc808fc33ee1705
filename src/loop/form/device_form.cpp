#include "loop/form/device_form.hpp"

namespace op2::core {

void DeviceForm::prepare(jit::Specialiser &specialiser, const FastFormRequest &request) {
  draft_ = specialiser.device(wanted_code(request).request);
  constants_.clear();
  for (std::size_t i = 0; i < draft_.text.offset.size(); ++i)
    constants_.push_back({draft_.values[i], draft_.text.offset[i], draft_.text.bytes[i]});
  text_ = {};
  text_.size = sizeof text_;
  text_.text = draft_.why.empty() ? draft_.text.text.c_str() : nullptr;
  text_.title = draft_.text.title.c_str();
  text_.why = draft_.why.c_str();
  text_.declared_bytes = draft_.text.declared_bytes;
  text_.nconstants = static_cast<std::int32_t>(constants_.size());
  text_.constants = constants_.data();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
