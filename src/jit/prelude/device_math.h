/* The names of scalar_math.h for a device: functions of mathematics in an excerpt, one number at a time. After device.h. */
#ifndef OP2J_DEVICE_MATH_H
#define OP2J_DEVICE_MATH_H

namespace op2m {

#define OP2M_ONE(fn)                                              \
  using op2j::fn;                                                 \
  using op2j::fn##f;                                              \
  OP2J_INLINE double c_##fn(double x) { return op2j::fn##_(x); } \
  float c_##fn(float) = delete;
#define OP2M_TWO(fn)                                                           \
  using op2j::fn;                                                              \
  using op2j::fn##f;                                                           \
  OP2J_INLINE double c_##fn(double x, double y) { return op2j::fn##_(x, y); } \
  float c_##fn(float, float) = delete;

OP2M_ONE(exp)
OP2M_ONE(exp2)
OP2M_ONE(expm1)
OP2M_ONE(log)
OP2M_ONE(log2)
OP2M_ONE(log10)
OP2M_ONE(log1p)
OP2M_ONE(cbrt)
OP2M_ONE(sin)
OP2M_ONE(cos)
OP2M_ONE(tan)
OP2M_ONE(asin)
OP2M_ONE(acos)
OP2M_ONE(atan)
OP2M_ONE(sinh)
OP2M_ONE(cosh)
OP2M_ONE(tanh)
OP2M_ONE(asinh)
OP2M_ONE(acosh)
OP2M_ONE(atanh)
OP2M_ONE(erf)
OP2M_ONE(erfc)
OP2M_TWO(pow)
OP2M_TWO(atan2)
OP2M_TWO(hypot)

} // namespace op2m

#endif
