// Every function of mathematics that OP2_JIT_MATH=vector has for whole vectors, once.
#ifndef MATH_KERNELS_H
#define MATH_KERNELS_H
#include <math.h>

// x lies in (-2, 2), y in (0, 2).
static inline void of_doubles(const double *x, const double *y, double *out) {
  out[0] = exp(x[0]), out[1] = exp2(x[0]), out[2] = expm1(x[0]);
  out[3] = log(y[0]), out[4] = log2(y[0]), out[5] = log10(y[0]);
  out[6] = log1p(y[0]), out[7] = cbrt(x[0]), out[8] = sin(x[0]);
  out[9] = cos(x[0]), out[10] = tan(x[0]), out[11] = asin(x[0] / 2);
  out[12] = acos(x[0] / 2), out[13] = atan(x[0]), out[14] = sinh(x[0]);
  out[15] = cosh(x[0]), out[16] = tanh(x[0]), out[17] = asinh(x[0]);
  out[18] = acosh(1 + y[0]), out[19] = atanh(x[0] / 2), out[20] = erf(x[0]);
  out[21] = erfc(x[0]), out[22] = pow(y[0], x[0]), out[23] = atan2(x[0], y[0]);
  out[24] = hypot(x[0], y[0]);
}
static inline void of_floats(const float *x, const float *y, float *out) {
  out[0] = expf(x[0]), out[1] = exp2f(x[0]), out[2] = expm1f(x[0]);
  out[3] = logf(y[0]), out[4] = log2f(y[0]), out[5] = log10f(y[0]);
  out[6] = log1pf(y[0]), out[7] = cbrtf(x[0]), out[8] = sinf(x[0]);
  out[9] = cosf(x[0]), out[10] = tanf(x[0]), out[11] = asinf(x[0] / 2);
  out[12] = acosf(x[0] / 2), out[13] = atanf(x[0]), out[14] = sinhf(x[0]);
  out[15] = coshf(x[0]), out[16] = tanhf(x[0]), out[17] = asinhf(x[0]);
  out[18] = acoshf(1 + y[0]), out[19] = atanhf(x[0] / 2), out[20] = erff(x[0]);
  out[21] = erfcf(x[0]), out[22] = powf(y[0], x[0]), out[23] = atan2f(x[0], y[0]);
  out[24] = hypotf(x[0], y[0]);
}

#endif

/* SPDX-License-Identifier: MIT */
