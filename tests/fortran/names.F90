! Names of OP2's modules that the other programs do not use, but for those of coupled programs; and arguments by the arrays that dats and maps were declared from (POINTERS: arrays behind Cray pointers).
!   names WORK writes files that begin so.
program names
  use op2_fortran_hdf5_declarations
  use op2_fortran_reference
  use op2_fortran_rt_support
  use cudaconfigurationparams
  use names_kernels
  use grid
  use, intrinsic :: iso_c_binding
  implicit none
  type(op_set) :: nodes, links, cells, again
  type(op_map) :: plink, pcell, identity
  type(op_dat) :: p_a, p_v, p_x, p_t, p_got, p_index
  real(4) :: s(nnode), vs(nlink), s_here(nnode)
  real(8) :: here(2, nnode), back(2, nnode), total(2, 1), most, et, core_time
  integer(4) :: l, rank, out, low, high, sizes(4), index(nnode), counts
  integer(8) :: offset
  character(200) :: work
  logical :: right
#ifdef POINTERS
  real(8), dimension(2, nnode) :: a
  real(8), dimension(nlink) :: v
  pointer(ptr_a, a)
  pointer(ptr_v, v)
  call op_memalloc(ptr_a, 16 * nnode)
  call op_memalloc(ptr_v, 8 * nlink)
#else
  real(8), dimension(:, :), allocatable :: a
  real(8), dimension(:), allocatable :: v
  allocate (a(2, nnode), v(nlink))
#endif

  call get_command_argument(1, work)
  call op_init_base_soa(0, 1, 0)
  call make_grid()
  a = 0.0d0
  v = [(0.5d0 * mod(l, 4), l = 1, nlink)]
  s = 0.0
  vs = real(v, 4)
  call op_decl_set(nnode, nodes, 'nodes')
  call op_decl_set(nlink, links, 'links')
  call op_decl_set(ncell, cells)
  call op_register_set(1, nodes)
  again = op_get_set(1)
  call check(again%setPtr%size == nodes%setPtr%size, 'op_get_set')
  call op_decl_map(links, nodes, 2, link, plink, 'plink')
  call op_decl_map(cells, nodes, 4, cell, pcell)
  call op_decl_dat(nodes, 2, 'real(8)', a, p_a, 'a')
  call op_decl_dat(links, 1, 'real(8)', v, p_v, 'v')
  call op_decl_dat(nodes, 2, 'real(8)', x, p_x, 'x')
  call op_decl_dat(nodes, 1, 'real(4)', s, p_t, 's')
  call op_decl_dat(links, 1, 'real(4)', vs, p_t, 'vs')
  index = 0
  call op_decl_dat(nodes, 1, 'integer(4)', index, p_index, 'index')
  call op_decl_const(total, 2, 'real(8)')
  call op_decl_const(.true., 1, 'logical')
  call op_decl_const('text', 4, 'character')
  call check(op_is_partitioned() == 0, 'not divided yet')
  call op_force_part(link)
  call op_partition2('PTSCOTCH', 'KWAY', links, link, x)
  call check(op_is_partitioned() == 1, 'op_is_partitioned')
  call op_renumber(plink)
  call op_renumber_ptr(link)
  call op_upload_all()
  call op_disable_device_execution(.false.)
  call op_disable_mpi_reductions(.false.)
  right = op_check_whitelist('add')
  call op_check_fallback_mode('add')
  call op_profile_start('names')
  call op_profile_enter('loops')

  ! Arguments by arrays.
  call op_par_loop_3(add, links, op_arg_dat(v, -1, OP_ID, 1, 'real(8)', OP_READ), &
                     op_arg_dat(a, 1, link, 2, 'real(8)', OP_INC), op_arg_dat(a, 2, link, 2, 'real(8)', OP_INC))
  call op_par_loop_3(add_single, links, op_arg_dat(vs, -1, OP_ID, 1, 'real(4)', OP_READ), op_arg_idx(2, link), &
                     op_opt_arg_dat(.true., s, 2, link, 1, 'real(4)', OP_INC))
  call op_profile_next('sums')
  total = 0.0d0
  most = -1.0d0
  call op_par_loop_4(sum_gbl, nodes, op_arg_dat(p_a, -1, OP_ID, 2, 'real(8)', OP_READ), &
                     op_arg_gbl(total, 2, 'real(8)', OP_INC), op_arg_gbl(most, 1, 'real(8)', OP_MAX), &
                     op_arg_gbl(.true., 1, 'logical', OP_READ))
  call op_profile_exit()
  call op_profile_end()
  call op_profile_output()

  here = 0.0d0
  s_here = 0.0
  do l = 1, nlink
    call add(v(l), here(:, link(1, l)), here(:, link(2, l)))
    call add_single(vs(l), link(2, l), s_here(link(2, l)))
  end do
  call op_fetch_data_idx(p_a, back, 1, nnode)
  call check(all(abs(back - here) < 1.0d-12), 'arguments by arrays')
  call check(all(abs(total(:, 1) - sum(here, 2)) < 1.0d-9), 'a sum into an array of rank 2')
  call check(abs(most - maxval(here(1, :))) < 1.0d-12, 'a maximum')
  call op_fetch_data_hdf5_file2(a, trim(work) // '_a.h5' // c_null_char)
  call op_print_dat_to_txtfile2(a, trim(work) // '_a.txt')

  ! Values on this process.
  call op_get_dat(p_a)
  call op_put_dat(p_a)
  call op_get_dat_mpi(p_a)
  call op_put_dat_mpi(p_a)
  p_got = op_mpi_get_data(p_a)
  call check(p_got%dataPtr%dim == 2, 'op_mpi_get_data')
  call op_mpi_free_data(p_got)
  call check(op_get_data_ptr(p_a) /= 0, 'op_get_data_ptr')
  offset = op_get_map_ptr(plink)
  call check(op_get_map_ptr(link) == offset, 'op_get_map_ptr')
  call op_dat_write_index(nodes, index)
  call op_fetch_data_idx(p_index, index, 1, nnode)
  call check(all(index == [(l, l = 1, nnode)]), 'op_dat_write_index')
  call op_trigger_halo_exchanges(0, 'trigger', links, op_arg_dat(p_a, 1, plink, 2, 'real(8)', OP_READ), &
                                 op_arg_dat(p_x, 2, plink, 2, 'real(8)', OP_READ))
  counts = get_associated_set_size(p_a)
  call check(counts > 0, 'get_associated_set_size')
  call check(dumpOpDat(p_a, trim(work) // '_dat.txt') == 0, 'dumpOpDat')
  call check(dumpOpMap(plink, trim(work) // '_map.txt') == 0, 'dumpOpMap')

  sizes = [op_get_size_local(nodes), op_get_size_local_core(nodes), op_get_size_local_exec(nodes), op_get_size_local_full(nodes)]
  call check(sizes(2) <= sizes(1) .and. sizes(1) <= sizes(3) .and. sizes(3) <= sizes(4), 'sizes on this process')
  offset = op_get_global_set_offset(nodes)
  call check(offset >= 0 .and. offset <= nnode, 'op_get_global_set_offset')
  call op_mpi_probe_halo_index(nodes, 1, rank, out)
  call check(out >= 1, 'op_mpi_probe_halo_index')
  call op_mpi_rank(rank)
  call check(op_mpi_size() > rank .and. rank >= 0, 'op_mpi_rank')
  call op_barrier()
  call op_timers(et)
  call op_timers_core(core_time)
  call check(core_time >= et, 'op_timers')
  call op_print('a line of names')
  call op_diagnostic_output()
  call op_timing_output()
  call check(BSIZE_DEFAULT == 256 .and. MAX_NAME_LEN == 100, 'constants')
  call check(all([OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN, OP_MAX, OP_WORK] == [1, 2, 3, 4, 5, 6, 7]), 'modes')
  call check(OP_ID(1) == OP_ID(2) .and. .not. associated(OP_GBL%mapPtr) .and. identity%status == -1, 'OP_ID and OP_GBL')
  low = 2
  high = 3
  call op_fetch_data_idx(p_x, back, low, high)
  call check(all(abs(back(:, 1:2) - x(:, 2:3)) <= 0.0d0), 'elements 2 and 3')
  call op_exit()
  if (failures > 0) stop 1
end program names

! SPDX-License-Identifier: MIT
