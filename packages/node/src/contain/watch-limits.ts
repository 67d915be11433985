import { readdirSync, readFileSync, statfsSync } from 'node:fs'
import type { Limits } from './limits.ts'

const EVERY_MS = 100
const PAGE_BYTES = 4_096

/** Why a contained command was stopped. */
export type Excess = 'processes' | 'memory' | 'disk' | 'output'

/**
 * Counts the processes and memory of a sandbox, and the free space of its disks, until it is cancelled; calls `onExcess` once
 * when a limit is passed. `init` gives the first process of the sandbox, as this process sees it, when it is known.
 */
export function watchLimits(
  limits: Limits,
  folders: readonly string[],
  init: () => number | undefined,
  onExcess: (what: Excess) => void,
): () => void {
  const before = { disks: folders.map((folder) => ({ folder, ...freeOn(folder) })), available: availableBytes() }
  const timer = setInterval(() => {
    const what = excess(limits, init(), before)
    if (what === undefined) return
    clearInterval(timer)
    onExcess(what)
  }, EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function excess(
  limits: Limits,
  init: number | undefined,
  before: { readonly disks: readonly (Free & { readonly folder: string })[]; readonly available: number },
): Excess | undefined {
  for (const { folder, bytes, files } of before.disks) {
    const now = freeOn(folder)
    // Space that others used up is not the command's doing.
    if (now.bytes < limits.freeDiskBytes && bytes - now.bytes > limits.freeDiskBytes / 4) return 'disk'
    if (now.files < limits.freeFiles && files - now.files > limits.freeFiles / 4) return 'disk'
  }
  // Memory without a process, such as files in memory that are not mapped.
  if (before.available - availableBytes() > limits.memoryBytes) return 'memory'
  if (init === undefined) return undefined
  const { count, bytes } = descendants(init)
  if (count > limits.processes) return 'processes'
  return bytes > limits.memoryBytes ? 'memory' : undefined
}

/** The processes below one, and the memory that is theirs alone. Orphans become children of the sandbox's first process. */
function descendants(init: number): { count: number; bytes: number } {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const pid = /^\d+$/.test(name) ? Number(name) : 0
    const parent = pid === 0 ? undefined : parentOf(pid)
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid])
  }
  let count = 0
  let bytes = 0
  const queue = [init]
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    count += 1
    bytes += privateBytes(pid)
    queue.push(...(children.get(pid) ?? []))
  }
  return { count, bytes }
}

function parentOf(pid: number): number | undefined {
  const line = read(`/proc/${pid}/stat`)
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
}

function privateBytes(pid: number): number {
  const [, resident, shared] = (read(`/proc/${pid}/statm`) ?? '').split(' ').map(Number)
  return Math.max(0, (resident ?? 0) - (shared ?? 0)) * PAGE_BYTES
}

function availableBytes(): number {
  return Number(/^MemAvailable:\s*(\d+)/m.exec(read('/proc/meminfo') ?? '')?.[1] ?? 0) * 1024
}

/** What is left on a disk. */
interface Free {
  readonly bytes: number
  /** How many files can be made; file systems without a limit tell no total. */
  readonly files: number
}

function freeOn(folder: string): Free {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    return { bytes: bavail * bsize, files: files === 0 ? Number.POSITIVE_INFINITY : ffree }
  } catch {
    return { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY }
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return undefined
  }
}
