! Jacobi steps on a grid, each process with its own part: WIDE numbers maps with integer(8), PRECISION is the kind of the data.
#ifndef PRECISION
#define PRECISION 8
#endif
module jac_kernels
  implicit none
  integer, parameter :: wp = PRECISION
  real(wp) :: alpha = 0.5

contains

  subroutine res(a, u, du, beta)
    real(PRECISION), intent(in) :: a
    real(PRECISION), intent(in) :: u
    real(PRECISION), intent(inout) :: du
    real(PRECISION), intent(in) :: beta
    du = du + beta * a * u
  end subroutine res

  subroutine update(r, du, u, u_sum, u_max)
    real(wp), intent(in) :: r
    real(wp), intent(inout) :: du, u, u_sum, u_max
    u = u + du + alpha * r
    du = 0.0
    u_sum = u_sum + u**2
    u_max = max(u_max, u)
  end subroutine update
end module jac_kernels

program jac
  use OP2_FORTRAN_DECLARATIONS
  use OP2_FORTRAN_REFERENCE
  use OP2_FORTRAN_RT_SUPPORT
  use jac_kernels
  use grid
  implicit none
  type(op_set) :: nodes, edges
  type(op_map) :: ppedge
  type(op_dat) :: p_a, p_r, p_u, p_du
  character(10), parameter :: kind_name = merge('real(8)', 'real(4)', wp == 8)
#ifdef WIDE
  integer(8), allocatable :: table(:)
#else
  integer(4), allocatable :: table(:)
#endif
  integer(4) :: all_table(4, nlink), rank, first, last, first_edge, last_edge, step, e
  real(wp) :: a(2 * nlink), r(nnode), u(nnode), du(nnode), beta, u_sum, u_max, sum_here, max_here, close
  real(wp), allocatable :: back(:)

  call op_init(0)
  call op_mpi_rank(rank)
  call make_grid()
  all_table = reshape([(link(:, e), link(2:1:-1, e), e = 1, nlink)], [4, nlink])
  a = [(0.2_wp + 0.01_wp * mod(e, 7), e = 1, 2 * nlink)]
  r = [(merge(1.0_wp, 0.25_wp, mod(e, 5) == 1), e = 1, nnode)]
  u = 0
  du = 0
  beta = 0.75
  close = merge(1.0e-12_wp, 1.0e-6_wp, wp == 8)

  call block(nnode, rank, op_mpi_size(), first, last)
  call block(2 * nlink, rank, op_mpi_size(), first_edge, last_edge)
  allocate (table(2 * (last_edge - first_edge + 1)))
  table = pack(reshape(all_table, [4 * nlink]), [(e >= 2 * first_edge - 1 .and. e <= 2 * last_edge, e = 1, 4 * nlink)])
  call op_decl_set(last - first + 1, nodes, 'nodes')
  call op_decl_set(last_edge - first_edge + 1, edges, 'edges')
#ifdef WIDE
  call op_decl_map_long(edges, nodes, 2, table, ppedge, 'ppedge')
#else
  call op_decl_map(edges, nodes, 2, table, ppedge, 'ppedge')
#endif
  deallocate (table)
  call op_decl_dat(edges, 1, kind_name, a(first_edge:last_edge), p_a, 'p_a')
  call op_decl_dat(nodes, 1, kind_name, r(first:last), p_r, 'p_r')
  call op_decl_dat(nodes, 1, kind_name, u(first:last), p_u)
  call op_decl_dat(nodes, 1, kind_name, du(first:last), p_du, 'p_du')
  call op_decl_const(alpha, 1, kind_name)
  call op_partition('PARMETIS', 'KWAY', nodes, ppedge, p_u)

  do step = 1, 3
    call op_par_loop_4(res, edges, op_arg_dat(p_a, -1, OP_ID, 1, kind_name, OP_READ), &
                       op_arg_dat(p_u, 2, ppedge, 1, kind_name, OP_READ), &
                       op_arg_dat(p_du, 1, ppedge, 1, kind_name, OP_INC), op_arg_gbl(beta, 1, kind_name, OP_READ))
    u_sum = 0
    u_max = 0
    call op_par_loop_5(update, nodes, op_arg_dat(p_r, -1, OP_ID, 1, kind_name, OP_READ), &
                       op_arg_dat(p_du, -1, OP_ID, 1, kind_name, OP_RW), op_arg_dat(p_u, -1, OP_ID, 1, kind_name, OP_RW), &
                       op_arg_gbl(u_sum, 1, kind_name, OP_INC), op_arg_gbl(u_max, 1, kind_name, OP_MAX))
    if (op_is_root() == 1) write (*, '(a,2es16.8)') ' u sqrt sum, u max', sqrt(u_sum), u_max
  end do

  ! The same without the library.
  do step = 1, 3
    sum_here = 0
    max_here = 0
    do e = 1, 2 * nlink
      associate (from => 2 - mod(e, 2), at => (e + 1) / 2)
        du(link(from, at)) = du(link(from, at)) + beta * a(e) * u(link(3 - from, at))
      end associate
    end do
    do e = 1, nnode
      call update(r(e), du(e), u(e), sum_here, max_here)
    end do
  end do
  call check(abs(u_sum - sum_here) < close * sum_here, 'the sum')
  call check(abs(u_max - max_here) < close * max_here, 'the maximum')
  allocate (back(last - first + 1))
  call op_fetch_data(p_u, back)
  call check(all(abs(back - u(first:last)) < close * max_here), 'the values of this process''s nodes')
  call op_exit()
  if (failures > 0) stop 1
end program jac

! SPDX-License-Identifier: MIT
