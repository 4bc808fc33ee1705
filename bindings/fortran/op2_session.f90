! op2_session: start, end and processes.
module op2_session
  use, intrinsic :: iso_c_binding
  use op2_c
  use op2_text
  implicit none
  private
  public :: op_init, op_init_soa, op_init_base, op_init_base_soa, op_mpi_init, op_mpi_init_base, op_mpi_init_soa, &
    op_mpi_init_base_soa, op_exit, op_mpi_rank, op_rank, op_mpi_size, op_comm_size, op_is_root, op_is_partitioned, &
    op_barrier, op_mpi_barrier, op_print, op_backend, op_setting, op_last_status, op_last_error, op_clear_error

contains

  ! Starts the library. Indices in maps begin at 1 unless `base` or the setting OP2_MAPS_BASE_INDEX differs. Passes on
  ! all arguments of the program in full length. Collective.
  subroutine start(diags, base, soa, with_communicator, global, local)
    integer(4), intent(in) :: diags, base, soa, with_communicator, global, local
    integer :: count, longest, length, i
    count = command_argument_count()
    longest = 1
    do i = 0, count
      call get_command_argument(i, length=length)
      longest = max(longest, length + 1)
    end do
    block
      character(longest, kind=c_char), target :: words(0:count)
      type(c_ptr) :: argv(0:count + 1)
      do i = 0, count
        call get_command_argument(i, words(i), length)
        words(i)(length + 1:length + 1) = c_null_char
        argv(i) = c_loc(words(i))
      end do
      argv(count + 1) = c_null_ptr
      call f_init(count + 1, argv, diags, base, soa, with_communicator, global, local)
    end block
  end subroutine start

  subroutine op_init(diags)
    integer(4), intent(in) :: diags
    call start(diags, 1, 0, 0, 0, 0)
  end subroutine op_init

  subroutine op_init_base(diags, base_idx)
    integer(4), intent(in) :: diags, base_idx
    call start(diags, base_idx, 0, 0, 0, 0)
  end subroutine op_init_base

  ! soa /= 0: dats have the SoA layout in the memory of a GPU, as with OP_AUTO_SOA; on the host they always have rows.
  subroutine op_init_soa(diags, soa)
    integer(4), intent(in) :: diags, soa
    call start(diags, 1, soa, 0, 0, 0)
  end subroutine op_init_soa

  subroutine op_init_base_soa(diags, base_idx, soa)
    integer(4), intent(in) :: diags, base_idx, soa
    call start(diags, base_idx, soa, 0, 0, 0)
  end subroutine op_init_base_soa

  ! Runs on the communicator `local`; `global` is the communicator of all coupled programs. MPI must be initialised.
  subroutine op_mpi_init(diags, global, local)
    integer(4), intent(in) :: diags, global, local
    call start(diags, 1, 0, 1, global, local)
  end subroutine op_mpi_init

  subroutine op_mpi_init_base(diags, global, local, base_idx)
    integer(4), intent(in) :: diags, global, local, base_idx
    call start(diags, base_idx, 0, 1, global, local)
  end subroutine op_mpi_init_base

  subroutine op_mpi_init_soa(diags, global, local, soa)
    integer(4), intent(in) :: diags, global, local, soa
    call start(diags, 1, soa, 1, global, local)
  end subroutine op_mpi_init_soa

  subroutine op_mpi_init_base_soa(diags, global, local, base_idx, soa)
    integer(4), intent(in) :: diags, global, local, base_idx, soa
    call start(diags, base_idx, soa, 1, global, local)
  end subroutine op_mpi_init_base_soa

  subroutine op_exit()
    call f_exit()
  end subroutine op_exit

  subroutine op_mpi_rank(rank)
    integer(4), intent(out) :: rank
    call c_rank(rank)
  end subroutine op_mpi_rank

  subroutine op_rank(rank)
    integer(4), intent(out) :: rank
    call c_rank(rank)
  end subroutine op_rank

  integer(4) function op_mpi_size()
    op_mpi_size = c_comm_size()
  end function op_mpi_size

  integer(4) function op_comm_size()
    op_comm_size = c_comm_size()
  end function op_comm_size

  integer(4) function op_is_root()
    op_is_root = c_is_root()
  end function op_is_root

  integer(4) function op_is_partitioned()
    op_is_partitioned = c_is_partitioned()
  end function op_is_partitioned

  subroutine op_barrier()
    call c_barrier()
  end subroutine op_barrier

  subroutine op_mpi_barrier()
    call c_barrier()
  end subroutine op_mpi_barrier

  ! Prints a line on process 0; also before op_init().
  subroutine op_print(line)
    character(*), intent(in) :: line
    call f_print(c_text(line))
  end subroutine op_print

  function op_backend() result(out)
    character(:), allocatable :: out
    out = f_text(c_backend())
  end function op_backend

  ! The value of a setting such as 'OP2_NUM_THREADS', '' for an unknown one.
  function op_setting(name) result(out)
    character(*), intent(in) :: name
    character(:), allocatable :: out
    out = f_text(c_setting(c_text(name)))
  end function op_setting

  ! With OP2_ERROR=return: status and message of the last call that failed.
  integer(4) function op_last_status()
    op_last_status = c_last_status()
  end function op_last_status

  function op_last_error() result(out)
    character(:), allocatable :: out
    out = f_text(c_last_error())
  end function op_last_error

  subroutine op_clear_error()
    call f_clear_error()
  end subroutine op_clear_error
end module op2_session

! SPDX-License-Identifier: MIT
