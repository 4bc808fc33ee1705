/* A rotor that slides along its stator, and a mesh that is refined, for changing_meshes.md. */
#include <op2/change.h>
#include <op2/op2.h>

extern op_set fine_cells;
extern op_map face_cells;
extern op_dat density, mass, fine_density, fine_mass;
extern op_gindex faces[96], cells_of_faces[192], parents[4000];
extern double fine_volumes[4000];
extern int around, turned;

int cell_of_rotor(int angle);
int cell_of_stator(int angle);
void fragment(void);
void fragment(void) {
  block
}
// SPDX-License-Identifier: MIT
