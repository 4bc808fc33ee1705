/* report.h: what both airfoil programs share around the solver: command line, progress, verdict. */
#ifndef OP2_EXAMPLES_AIRFOIL_REPORT_H
#define OP2_EXAMPLES_AIRFOIL_REPORT_H

#include "mesh_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Exit codes of the programs. */
#define AIRFOIL_PASSED 0
#define AIRFOIL_FAILED 1
#define AIRFOIL_ERROR 2 /* usage, a file, or a call of the library that failed */

typedef struct airfoil_options {
  const char *mesh;   /* file to read */
  const char *output; /* .csv or .json file for the table of loops, or NULL */
  const char *view;   /* .vtkhdf or .xdmf file for the pressure, or NULL */
  int iterations;
  const char *checkpoint;    /* beginning of the names of checkpoints, or NULL */
  double checkpoint_seconds; /* between them */
  int restart;               /* 1 = go on from the newest of them */
} airfoil_options;

/* Read the command line, after op_init(). Returns 1 to go on; 0 when the program shall end with *exit_code. */
int airfoil_parse(int argc, char **argv, airfoil_options *options, int *exit_code);

/* Read the mesh of the options and say what is in it; -1 after a message. */
int airfoil_read(const airfoil_options *options, airfoil_mesh *mesh);

/* 1, after a message, when a call of the library has failed (only with OP2_ERROR=return a program lives that long). */
int airfoil_failed(void);

typedef struct airfoil_progress {
  int iterations;
  int terminal;       /* 1 = one line updated in place, 0 = one line for 100 iterations */
  double start, last; /* seconds: begin, latest update */
} airfoil_progress;

airfoil_progress airfoil_progress_start(int iterations);
/* 1, if airfoil_progress_show() has something to show after this iteration, so that only then results are waited for. */
int airfoil_progress_due(const airfoil_progress *progress, int iteration);
void airfoil_progress_show(airfoil_progress *progress, int iteration, double rms, double maxerr, int errloc);

/* Print the table of loops, the rms after the last iteration and the verdict; write the output file. The exit code. */
int airfoil_report(const airfoil_options *options, const airfoil_progress *progress, int ncell, double rms);

#ifdef __cplusplus
}
#endif

#endif

/* SPDX-License-Identifier: MIT */
