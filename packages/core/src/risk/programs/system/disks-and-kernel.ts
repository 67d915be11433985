import { valuedOptionsOf } from '../../../knowledge/programs.ts'
import { arityOfRow, readArgs } from '../../arguments/argument-parser.ts'
import { targetNamed } from '../../arguments/displayable-name.ts'
import { plainWords } from '../../path/unresolved-path.ts'
import { finding } from '../../report/finding.ts'
import { type Assess, anyFlag } from '../assessor/assessor.ts'

const MACHINE = { reach: 'all' as const, target: 'machine' }

/** `shutdown`, `reboot` and similar. */
export const assessPower: Assess = ({ part, program }) => {
  if (anyFlag(part, '-c', '--show')) return finding('low', 'system.power', `${program} cancels a shutdown`)
  if (program === 'init' || program === 'telinit') {
    const level = plainWords(part)[0]?.value ?? ''
    if (/^[1-5sSqQuU]$/.test(level))
      return finding('high', 'system.power', `${program} changes the machine’s run level`, 'yes', MACHINE)
  }
  return finding('critical', 'system.power', `${program} stops the machine`, 'yes', MACHINE)
}

/** Options and verbs with which disk programs only read. */
const LOOKS: ReadonlyMap<string, RegExp> = new Map([
  ['fdisk', /^(?:-l|--list|-x|-s|--version)$/],
  ['sfdisk', /^(?:-l|-d|--list|--dump|-J|--json|-F|-V|--verify|-s)$/],
  ['sgdisk', /^(?:-p|--print|-i|--info|-v|--verify)$/],
  ['gdisk', /^-l$/],
  ['parted', /^(?:-l|--list|print)$/],
  ['mdadm', /^(?:--detail|-D|--examine|-E|--query|-Q|--monitor|--misc)$/],
  ['hdparm', /^-[iItTgC]+$/],
  ['nvme', /^(?:list|list-subsys|smart-log|id-ctrl|id-ns|error-log|fw-log|show-regs|version|get-feature|get-log)$/],
  ['cryptsetup', /^(?:status|luksDump|luksUUID|isLuks|benchmark|luksHeaderBackup)$/],
  ['wipefs', /^(?:-n|--no-act)$/],
  ['mkfs', /^-n$/],
])
const SMALLER: ReadonlyMap<string, RegExp> = new Map([
  ['cryptsetup', /^(?:open|luksOpen|close|luksClose|luksAddKey|luksChangeKey|resize|luksSuspend|luksResume)$/],
  ['mdadm', /^(?:--assemble|-A|--add|--stop|-S|--scan|--fail|--remove)$/],
])

/** Programs that overwrite whole disks, unless an option only reads. */
export const assessDisk: Assess = ({ part, program }) => {
  const words = part.args.map(({ value }) => value ?? '')
  const name = program.startsWith('mkfs') ? 'mkfs' : program
  const target = words.find((word) => word.startsWith('/dev/') || /^disk\d/.test(word))
  const extent = { reach: 'all' as const, ...targetNamed(target) }
  if (words.length === 0) return finding('none', 'system.disk', `${program} has nothing to do`)
  const looks = LOOKS.get(name)
  if (
    looks !== undefined &&
    words.some((word) => looks.test(word)) &&
    !/\b(?:rm|mkpart|mklabel|mktable|resizepart)\b/.test(words.join(' '))
  )
    return finding('none', 'system.disk', `${program} only reads disks`)
  // Without `-a`, `-o` or `-t` it only lists the signatures.
  if (name === 'wipefs' && !anyFlag(part, '-a', '--all', '-o', '--offset', '-t', '--types'))
    return finding('none', 'system.disk', `${program} only reads disks`)
  if (SMALLER.get(name)?.test(words.find((word) => SMALLER.get(name)?.test(word)) ?? '') === true)
    return finding('high', 'system.disk', `${program} opens or changes a volume`, 'partly', extent)
  if (target === undefined && words.some((word) => /\.(?:img|iso|raw|qcow2|dmg|vhd|swap)$/.test(word)))
    return finding('medium', 'system.image', `${program} writes an image file`, 'no')
  return finding('critical', 'system.disk', `${program} overwrites a whole disk or volume`, 'no', extent)
}

/** `mount`, `umount`, `swapon`, `losetup`, `fsck`. */
export const assessMount: Assess = ({ part, program }) => {
  const words = plainWords(part, valuedOptionsOf('mount'))
  const shows =
    anyFlag(part, '-l', '-V', '--show', '-s', '--summary', '--list', '-a') &&
    words.length === 0 &&
    !/^(?:swapoff|umount)$/.test(program)
  const lists = words.length === 0 && part.args.length === 0
  if (
    /^(?:mount|swapon|losetup)$/.test(program) &&
    (lists || (shows && !(program !== 'losetup' && anyFlag(part, '-a'))))
  )
    return finding('none', 'system.mount', `${program} only lists`)
  if (program.startsWith('fsck') || program === 'e2fsck' || program === 'xfs_repair')
    return anyFlag(part, '-n', '-N')
      ? finding('none', 'system.mount', `${program} only checks`)
      : finding('high', 'system.mount', `${program} repairs a file system`, 'no', device(words))
  return finding('high', 'system.mount', `${program} changes what is mounted`, 'yes', device(words))
}

function device(words: readonly { readonly value: string | null }[]): { reach: 'one'; target?: string } {
  const target = words[0]?.value
  return { reach: 'one', ...targetNamed(target) }
}

/** Kernel modules and boot settings. */
export const assessKernel: Assess = ({ part, program }) => {
  if (
    anyFlag(part, '-n', '--dry-run', '--show', '--show-depends', '-c', '--showconfig', '-D') &&
    program === 'modprobe'
  )
    return finding('none', 'system.kernel', `${program} only shows what it would do`)
  const name = plainWords(part)[0]?.value
  const extent = targetNamed(name)
  return /^(?:modprobe|rmmod|dkms|update-grub|update-initramfs|depmod|dracut|mkinitcpio|kextload|kextunload|kmutil)$/.test(
    program,
  )
    ? finding('high', 'system.kernel', `${program} changes the kernel or how the machine starts`, 'partly', extent)
    : finding('critical', 'system.kernel', `${program} changes the kernel or how the machine starts`, 'partly', extent)
}

/** `sysctl`: settings of the kernel. */
export const assessSysctl: Assess = ({ part }) => {
  const writes =
    anyFlag(part, '-w', '--write', '-p', '--load', '--system') ||
    part.args.some(({ value }) => value === null || /^[\w./-]+=/.test(value))
  return writes
    ? finding('high', 'system.kernel', 'sysctl changes settings of the kernel', 'yes', MACHINE)
    : finding('none', 'system.kernel', 'sysctl only reads')
}

/** `date`, `hwclock`. */
export const assessClock: Assess = ({ part, program, row }) => {
  if (program === 'hwclock')
    return part.args.every(({ value }) =>
      /^(?:-r|--show|--get|-v|--verbose|-u|--utc|-l|--localtime)$/.test(value ?? ''),
    )
      ? finding('none', 'system.clock', 'hwclock only shows the time')
      : finding('high', 'system.clock', 'hwclock sets a clock', 'yes', MACHINE)
  // `date 11151200` sets the clock; `date +%F` and what `-d` or `-j` names does not.
  const reading = readArgs(part, arityOfRow(row))
  const sets =
    part.args.some(({ value }) => /^(?:-[uR]*s|--set)/.test(value ?? '')) ||
    (!anyFlag(part, '-j') && reading.words.some(({ value }) => value !== null && /^\d{8,12}(?:\.\d\d)?$/.test(value)))
  return sets
    ? finding('high', 'system.clock', 'date sets the clock', 'yes', MACHINE)
    : finding('none', 'system.clock', 'date only shows the time')
}
