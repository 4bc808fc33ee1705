namespace flow {
float limit(float x);
float limit(float x) { return x > 5 && x < 10 ? 5 : x; }
} // namespace flow

// SPDX-License-Identifier: MIT
