// files.cpp: a mesh, data and constants from an HDF5 file and results into one, by OP2's functions; the profile.
//   files FOLDER
#include <op_profile.h>
#include "op_hdf5.h"
#include "op_seq.h"

#include <string>

#include "grid.h"

double gam, qinf[4];

inline void gather(const double *x1, const double *x2, const double *q, double *out, double *sum) {
  *out = x1[0] + x2[1] + *q * gam;
  *sum += *out;
}

inline void halve(double *x) { *x *= 0.5; }

int main(int argc, char **argv) {
  std::string folder = argc > 1 ? argv[1] : ".";
  op_init(argc, argv, 1);
  op_profile_start("files");
  op_profile_enter("write");
  std::string mesh = folder + "/compat_mesh.h5", results = folder + "/compat_results.h5", text = folder + "/compat.txt";
  std::string binary = folder + "/compat.bin", tree = folder + "/compat.json", table = folder + "/compat.csv";
  grid g(9, 7);
  std::vector<double> q(g.nedge);
  for (int n = 0; n < g.nedge; n++) q[n] = n % 4;
  {
    op_set nodes = op_decl_set(g.nnode, "nodes"), edges = op_decl_set(g.nedge, "edges");
    op_decl_map(edges, nodes, 2, &g.edge[0], "pedge");
    op_decl_dat(nodes, 2, "double", &g.x[0], "p_x");
    op_decl_dat(edges, 1, "double", &q[0], "flow/p_q");
  }
  op_dump_to_hdf5(mesh.c_str());
  gam = 1.4;
  for (int d = 0; d < 4; d++) qinf[d] = d;
  op_write_const_hdf5("gam", 1, "double", (char *)&gam, mesh.c_str());
  op_write_const_hdf5("qinf", 4, "double", (char *)qinf, mesh.c_str());

  op_profile_next("read");
  gam = qinf[3] = 0.0;
  op_get_const_hdf5("gam", 1, "double", (char *)&gam, mesh.c_str());
  op_get_const_hdf5("qinf", 4, "double", (char *)qinf, mesh.c_str());
  check(gam == 1.4 && qinf[3] == 3.0, "constants from the file");
  op_decl_const(1, "double", &gam);
  op_set nodes = op_decl_set_hdf5(mesh.c_str(), "nodes");
  op_set edges = op_decl_set_hdf5_infer_size(mesh.c_str(), "edges", "pedge");
  op_map pedge = op_decl_map_hdf5(edges, nodes, 2, mesh.c_str(), "pedge");
  op_dat p_x = op_decl_dat_hdf5(nodes, 2, "double", mesh.c_str(), "p_x");
  op_dat p_q = op_decl_dat_hdf5(edges, 1, "double", mesh.c_str(), "flow/p_q");
  check(op_decl_dat_hdf5(edges, 1, "double", mesh.c_str(), "absent") == NULL, "a dataset that is absent");
  check(op_decl_map_hdf5(edges, nodes, 2, mesh.c_str(), "absent") == NULL, "a map that is absent");
  check(op_get_size(nodes) == g.nnode && op_get_size(edges) == g.nedge, "sizes from the file");
  op_dat p_twice = op_decl_dat_temp(nodes, 1, "double", (double *)NULL, "p_twice");
  op_dat p_out = op_decl_dat_temp(edges, 1, "double", (double *)NULL, "p_out");
  op_partition("INERTIAL", "", nodes, OP_ID, p_x);

  op_profile_next("solve");
  double sum = 0.0, own = 0.0;
  op_par_loop(gather, "gather", edges, op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
              op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ), op_arg_dat(p_q, -1, OP_ID, 1, "double", OP_READ),
              op_arg_dat(p_out, -1, OP_ID, 1, "double", OP_WRITE), op_arg_gbl(&sum, 1, "double", OP_INC));
  std::vector<double> out(g.nedge);
  for (int n = 0; n < g.nedge; n++) {
    out[n] = g.x[2 * g.edge[2 * n]] + g.x[2 * g.edge[2 * n + 1] + 1] + q[n] * gam;
    own += out[n];
  }
  check(fabs(sum - own) < 1e-12 * own, "a loop over a mesh from a file");
  op_profile_exit();

  op_fetch_data_hdf5_file(p_out, results.c_str());
  op_fetch_data_hdf5_file_path(p_q, results.c_str(), "/step1/q");
  op_print_dat_to_txtfile(p_out, text.c_str());
  op_print_dat_to_binfile(p_out, binary.c_str());
  p_x->name = strdup("p_x_again"); // which programs do
  op_fetch_data_hdf5_file(p_x, results.c_str());
  check(op_decl_dat_hdf5(nodes, 2, "double", results.c_str(), "p_x_again") != NULL, "a dat by another name");
  op_dat back = op_decl_dat_hdf5(edges, 1, "double", results.c_str(), "p_out");
  op_dat q_back = op_decl_dat_hdf5(edges, 1, "double", results.c_str(), "step1/q");
  std::vector<double> values(g.nedge), q_values(g.nedge);
  op_fetch_data_idx(back, &values[0], 0, g.nedge - 1);
  op_fetch_data_idx(q_back, &q_values[0], 0, g.nedge - 1);
  bool right = true;
  for (int n = 0; n < g.nedge; n++) right = right && fabs(values[n] - out[n]) < 1e-12 && q_values[n] == q[n];
  check(right, "results in the order of the file");
  int head[2] = {0, 0};
  double first = 0.0;
  FILE *file = fopen(binary.c_str(), "rb");
  check(file != NULL && fread(head, sizeof(int), 2, file) == 2 && fread(&first, sizeof(double), 1, file) == 1 &&
            head[0] == g.nedge && head[1] == 1 && first == values[0],
        "a binary file");
  if (file != NULL) fclose(file);

  op_profile_end();
  op_profile_exit(); // once too often, which does no harm
  op_profile_output();
  op_profile_output_json(tree.c_str());
  op_barrier();
  char line[300] = "";
  file = fopen(tree.c_str(), "r");
  check(file != NULL && fgets(line, sizeof line, file) != NULL &&
            strstr(line, "{\"name\": \"files\", \"count\": 1") == line && strstr(line, "\"name\": \"write\"") != NULL,
        "the profile as JSON");
  if (file != NULL) fclose(file);
  op_par_loop(halve, "halve", edges, op_arg_dat(p_q, -1, OP_ID, 1, "double", OP_RW));
  op_par_loop(halve, "halve", nodes, op_arg_dat(p_twice, -1, OP_ID, 1, "double", OP_RW));
  op_timing_output();
  op_timings_to_csv(table.c_str());
  op_barrier();
  file = fopen(table.c_str(), "r");
  check(file != NULL && fgets(line, sizeof line, file) != NULL &&
            !strcmp(line,
                    "rank,thread,nranks,nthreads,count,total time,plan time,mpi time,GB used,GB total,kernel name\n") &&
            fgets(line, sizeof line, file) != NULL && !strncmp(line, "0,0,", 4),
        "the table of loops as CSV");
  int rows = 0, calls = 0;
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strstr(line, ",halve\n") != NULL && !strncmp(line, "0,", 2)) rows += sscanf(line, "%*d,%*d,%*d,%*d,%d", &calls);
  check(rows == 1 && calls == 2, "one row for a name, whatever sets its loops run over");
  if (file != NULL) fclose(file);
  op_exit();
  return failures != 0;
}

// SPDX-License-Identifier: MIT
