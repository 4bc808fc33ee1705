// no_mpi_in_program.cpp: the program knows nothing of MPI; the plugin brings it.
void start_mpi_in_program();
void end_mpi_in_program();
void start_mpi_in_program() {}
void end_mpi_in_program() {}

// SPDX-License-Identifier: MIT
