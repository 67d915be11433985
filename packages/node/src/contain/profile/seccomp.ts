import { CountersignError } from '@countersign/core'

/** System calls by name: their numbers on x64 and arm64. A null is absent there. */
const CALLS: Readonly<Record<string, readonly [x64: number | null, arm64: number | null]>> = {
  // Other processes
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Kernel interfaces that go round the other rules
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  fanotify_init: [300, 262],
  modify_ldt: [154, null],
  // Keys of the session
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Mounts and namespaces
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  // The machine
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  syslog: [103, 116],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  iopl: [172, null],
  ioperm: [173, null],
  vhangup: [153, 58],
}

/** Calls that are judged by an argument, and clone3, whose arguments a filter cannot read. */
const CLONE = [56, 220] as const
const CLONE3 = [435, 435] as const
const IOCTL = [16, 29] as const
const SOCKET = [41, 198] as const
/** Takes up a disk at once, before anybody could stop it. Programs write instead where it is not supported. */
const FALLOCATE = [285, 47] as const

/** Flags of `clone` for new namespaces. */
const NAMESPACES = 0x7e_02_00_00
/** Requests of `ioctl` that type into a terminal. */
const TYPING = [0x5412, 0x541c] as const
/** Families of sockets that the private network covers: Unix, IPv4, IPv6, netlink. Others, such as vsock, reach the host. */
const FAMILIES = [1, 2, 10, 16] as const

const ARCHITECTURE = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
const X32 = 0x4000_0000

const LOAD = 0x20
const EQUAL = 0x15
const AT_LEAST = 0x35
const ANY_BIT = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff_0000
const KILL = 0x8000_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026
const EOPNOTSUPP = 0x0005_005f
const EAFNOSUPPORT = 0x0005_0061

/** Offsets in `struct seccomp_data`; arguments are read by their lower half. */
const NUMBER = 0
const ARCH = 4
const argument = (at: number): number => 16 + 8 * at

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number]

/** The seccomp filter of the sandbox, as bytes for `bwrap --seccomp`. */
export function seccompFilter(arch: string = process.arch): Buffer {
  if (arch !== 'x64' && arch !== 'arm64')
    throw new CountersignError('CS_SANDBOX', `the sandbox does not support the processor \`${arch}\``)
  const at = arch === 'x64' ? 0 : 1
  const denied = Object.values(CALLS).flatMap((numbers) => numbers[at] ?? [])
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCH],
    [EQUAL, 1, 0, ARCHITECTURE[arch]],
    [RETURN, 0, 0, KILL],
    [LOAD, 0, 0, NUMBER],
    ...(arch === 'x64'
      ? ([
          [AT_LEAST, 0, 1, X32],
          [RETURN, 0, 0, EPERM],
        ] as const)
      : []),
    ...denied.flatMap((number): Instruction[] => [
      [EQUAL, 0, 1, number],
      [RETURN, 0, 0, EPERM],
    ]),
    [EQUAL, 0, 1, CLONE3[at]],
    [RETURN, 0, 0, ENOSYS],
    [EQUAL, 0, 1, FALLOCATE[at]],
    [RETURN, 0, 0, EOPNOTSUPP],
    ...judged(CLONE[at], [
      [LOAD, 0, 0, argument(0)],
      [ANY_BIT, 0, 1, NAMESPACES],
      [RETURN, 0, 0, EPERM],
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(IOCTL[at], [
      [LOAD, 0, 0, argument(1)],
      ...TYPING.flatMap((request): Instruction[] => [
        [EQUAL, 0, 1, request],
        [RETURN, 0, 0, EPERM],
      ]),
      [RETURN, 0, 0, ALLOW],
    ]),
    ...judged(SOCKET[at], [
      [LOAD, 0, 0, argument(0)],
      ...FAMILIES.flatMap((family): Instruction[] => [
        [EQUAL, 0, 1, family],
        [RETURN, 0, 0, ALLOW],
      ]),
      [RETURN, 0, 0, EAFNOSUPPORT],
    ]),
    [RETURN, 0, 0, ALLOW],
  ]
  return encode(program)
}

/** A block for one system call; it ends in a return. */
function judged(number: number, block: readonly Instruction[]): readonly Instruction[] {
  return [[EQUAL, 0, block.length, number], ...block]
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  for (const [index, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(ifTrue, index * 8 + 2)
    bytes.writeUInt8(ifFalse, index * 8 + 3)
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4)
  }
  return bytes
}
