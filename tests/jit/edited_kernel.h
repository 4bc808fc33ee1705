// The kernel of a program that is edited after the program was built.
static inline void scale(const double *a, double *b) { *b = 2.0 * *a; }
