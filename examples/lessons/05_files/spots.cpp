// spots.cpp: germs spread in a plate, eat, and multiply, until they form spots and bands. Reads plate.h5 of
// make_plate.cpp, writes a series for ParaView and checkpoints, goes on from the newest checkpoint. Argument: the last
// step (5000).
#include <op2/checkpoint.h>
#include <cmath>
#include <cstdlib>
#include <op2/op2.hpp>

// For each edge: food and germs move to the node that has less of them. a, b: food and germs of the two nodes.
static void spread(const double *a, const double *b, double *gain_a, double *gain_b) {
  const double food = 0.16 * (b[0] - a[0]), germs = 0.08 * (b[1] - a[1]);
  gain_a[0] += food;
  gain_a[1] += germs;
  gain_b[0] -= food;
  gain_b[1] -= germs;
}

// For each node: germs eat food and multiply; some die; new food comes in.
static void live(double *gain, double *life) {
  const double eaten = life[0] * life[1] * life[1];
  life[0] += gain[0] - eaten + 0.035 * (1 - life[0]);
  life[1] += gain[1] + eaten - (0.035 + 0.062) * life[1];
  gain[0] = gain[1] = 0;
}

static void count(const double *life, double *germs) { *germs += life[1]; }

int main(int argc, char **argv) {
  op2::context library(argc, argv);
  const int last = argc > 1 && std::atoi(argv[1]) > 0 ? std::atoi(argv[1]) : 5000;

  const op2::file mesh("plate.h5"); // each process reads its part
  op2::set nodes = mesh.declare_set("nodes"), edges = mesh.declare_set("edges"), cells = mesh.declare_set("cells");
  op2::map edge_nodes = mesh.declare_map(edges, nodes, "edge_nodes");
  op2::map cell_nodes = mesh.declare_map(cells, nodes, "cell_nodes");
  auto x = mesh.declare_dat<double, 2>(nodes, "x");
  auto life = mesh.declare_dat<double, 2>(nodes, "life");
  op2::dat<double, 2> gain(nodes, nullptr, "gain"); // zeros

  op2::view view(x, "spots");
  view.cells(cell_nodes, OP_CELL_QUADRILATERAL).field(life);

  int step = 0, found = 0;
  double germs = 0;
  op2::check(op_checkpoint_value("step", "int", 1, &step)); // belongs to the state, with all dats
  op2::check(op_checkpoint_value("germs", "double", 1, &germs));
  op2::check(op_restart_latest("spots", &found));
  if (found) op_printf("going on after step %d\n", step);

  while (step < last) {
    op_par_loop(spread, "spread", edges, op2::read(life, 0, edge_nodes), op2::read(life, 1, edge_nodes),
                op2::inc(gain, 0, edge_nodes), op2::inc(gain, 1, edge_nodes));
    op_par_loop(live, "live", nodes, op2::rw(gain), op2::rw(life));
    ++step;
    if (step % 1000 == 0) {
      germs = 0;
      op_par_loop(count, "count", nodes, op2::read(life), op2::gbl_inc(&germs));
      op_printf("step %d: %.6f germs\n", step, germs);
      view.write_step("spots.vtkhdf", step);
      op2::check(op_checkpoint_if_due("spots", 0, 2)); // 0: at every call; the last two stay
    }
  }
  if (step != 5000) return 0;
  const bool right = std::fabs(germs - 1669.311210) < 1e-4; // what an undisturbed run on one process gives
  op_printf("%s\n", right ? "PASSED" : "FAILED");
  return right ? 0 : 1;
}

// SPDX-License-Identifier: MIT
