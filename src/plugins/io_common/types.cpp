// Types of values: the library's, and those in files.
#include "plugins/io_common/file.hpp"

namespace hdf5 {

Kind kind_of(hid_t type) {
  const int size = static_cast<int>(H5Tget_size(type));
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      return size <= 4 ? Kind{OP_TYPE_FLOAT, 4} : Kind{OP_TYPE_DOUBLE, 8};
    case H5T_ENUM: // truth values of other programs
      return size == 1 ? Kind{OP_TYPE_BOOL, 1} : Kind{OP_TYPE_LL, 8};
    case H5T_INTEGER: {
      const bool has_sign = H5Tget_sign(type) != H5T_SGN_NONE;
      if (size == 1 && !has_sign) return {OP_TYPE_BOOL, 1};
      if (size < 4) return {OP_TYPE_INT, 4};
      if (size == 4) return {has_sign ? OP_TYPE_INT : OP_TYPE_UINT, 4};
      return {has_sign ? OP_TYPE_LL : OP_TYPE_ULL, 8};
    }
    default:
      return {OP_TYPE_USER, size};
  }
}

hid_t memory_type(op_type_id type) {
  switch (type) {
    case OP_TYPE_DOUBLE:
      return H5T_NATIVE_DOUBLE;
    case OP_TYPE_FLOAT:
      return H5T_NATIVE_FLOAT;
    case OP_TYPE_INT:
      return H5T_NATIVE_INT;
    case OP_TYPE_UINT:
      return H5T_NATIVE_UINT;
    case OP_TYPE_LL:
      return H5T_NATIVE_LLONG;
    case OP_TYPE_ULL:
      return H5T_NATIVE_ULLONG;
    case OP_TYPE_BOOL:
      return H5T_NATIVE_UINT8;
    default:
      refuse(OP_ERR_TYPE, "values of this type have no numbers");
  }
}

void need_convertible(hid_t in_file, op_type_id in_memory) {
  const H5T_class_t sort = H5Tget_class(in_file);
  const bool to_fractions = in_memory == OP_TYPE_DOUBLE || in_memory == OP_TYPE_FLOAT;
  if (sort == H5T_INTEGER || sort == H5T_ENUM || (sort == H5T_FLOAT && to_fractions)) return;
  refuse(OP_ERR_TYPE,
         sort == H5T_FLOAT ? "it has fractions, where whole numbers are expected" : "its values are no numbers");
}

namespace {

H5T_conv_ret_t refuse_what_does_not_fit(H5T_conv_except_t what, hid_t, hid_t, void *, void *, void *) {
  return what == H5T_CONV_EXCEPT_RANGE_HI || what == H5T_CONV_EXCEPT_RANGE_LOW ? H5T_CONV_ABORT : H5T_CONV_UNHANDLED;
}

} // namespace

Handle checked_transfer(const op_io_file &file) {
  Handle out(H5Pcopy(file.transfer.id()), H5Pclose, "");
  check(H5Pset_type_conv_cb(out.id(), refuse_what_does_not_fit, nullptr), "");
  return out;
}

} // namespace hdf5

// SPDX-License-Identifier: MIT
