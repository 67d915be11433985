import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { openOwnFolder, readOwnFile, systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { openProcessTable, type ProcessTable } from './proc-stat.ts'

/** A process by number and start, so that a reused number is another process. */
export interface ProcessId {
  readonly pid: number
  readonly started: string
}

/** A command that the gate runs, or ran and that left processes behind. */
export interface RunningCommand extends ProcessId {
  readonly call: string
  /** The process that started it. */
  readonly owner: ProcessId
  readonly boot: string
  readonly cgroup: string
  readonly namespace: string
  /** Set when it ended: what it may have left running that left its session too. */
  readonly left?: readonly ProcessId[]
}

/** INVARIANT: L10. A home with more records is not read. */
const MOST_RECORDS = 4_096
const MOST_BYTES = 256 * 1024
const MOST_LEFT = 2_000

/** A place for the record of a command about to start. */
export interface CommandRecord {
  /** Records the process; from now on nothing that it starts can decide. */
  started(pid: number): void
  /** Removes the record, unless the command left processes behind. */
  ended(): void
}

/**
 * Reserves the record of one gated command, so that a full disk refuses the command instead of running it unrecorded.
 * INVARIANT: L8, deciders find the records of their home and refuse to work inside any of these commands.
 */
export function recordCommand(home: Home, call: string): CommandRecord {
  const folder = recordsFolder(home)
  openOwnFolder(home.run, 'CS_HOME')
  openOwnFolder(folder, 'CS_HOME')
  const path = join(folder, `${process.pid}-${randomBytes(8).toString('hex')}`)
  writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
  let record: RunningCommand | undefined
  return {
    started(pid) {
      const table = openProcessTable()
      record = {
        call: call.slice(0, 200),
        pid,
        started: table(pid)?.started ?? '0',
        owner: { pid: process.pid, started: table(process.pid)?.started ?? '0' },
        boot: bootId(),
        cgroup: cgroupOf(pid),
        namespace: pidNamespace(),
      }
      writeFileSync(path, JSON.stringify(record))
    },
    ended() {
      try {
        if (record === undefined) rmSync(path, { force: true })
        else settle(path, record, openProcessTable())
      } catch {
        // The record stays, which refuses more than it should until the next decision settles it.
      }
    },
  }
}

/** The recorded commands that still run or left something behind. Removes records that no longer matter. */
export function runningCommands(home: Home, table: ProcessTable): readonly RunningCommand[] {
  const folder = recordsFolder(home)
  const names = namesIn(folder)
  if (names.length > MOST_RECORDS)
    throw new CountersignError(
      'CS_HOME',
      `\`${folder}\` has more than ${MOST_RECORDS} files; stop the agents and empty it`,
    )
  return names.flatMap((name) => {
    const path = join(folder, name)
    const record = readRecord(path)
    if (record === undefined) {
      // Its owner died before it started the command.
      if (table(Number(name.split('-', 1)[0])) === undefined) rmSync(path, { force: true })
      return []
    }
    if (record.boot !== bootId()) {
      rmSync(path, { force: true })
      return []
    }
    if (record.namespace !== pidNamespace()) return [record]
    if (record.left === undefined && (isRunning(record, table) || isRunning(record.owner, table))) return [record]
    const settled = settle(path, record, table)
    return settled === null ? [] : [settled]
  })
}

/** Whether exactly this process still runs. */
export function isRunning({ pid, started }: ProcessId, table: ProcessTable): boolean {
  const stat = table(pid)
  return stat !== undefined && !stat.ended && stat.started === started
}

/**
 * Whether a session is that of a recorded process. The number of a session is not given to another process while the
 * session has members, so a process of this number with another start shows that the session is gone.
 */
export function isSessionOf({ pid, started }: ProcessId, session: number | null, table: ProcessTable): boolean {
  if (session !== pid) return false
  const leader = table(pid)
  return leader === undefined || leader.started === started
}

/**
 * Whether a process may have been left behind by a command: started since, in a session of its own, adopted by another
 * process than the one that started it, and still in the command's control group.
 */
export function mayBeOrphanOf(command: RunningCommand, pid: number, table: ProcessTable): boolean {
  const stat = table(pid)
  if (stat === undefined || stat.ended || stat.parent === 0) return false
  if (Number(stat.started) < Number(command.started)) return false
  const parent = table(stat.parent)
  // A process cannot join the session of another: a child of the first shell of a container is not adopted by it.
  if (parent !== undefined && stat.session !== null && parent.session === stat.session) return false
  const cgroup = cgroupOf(pid)
  return cgroup === command.cgroup && (stat.parent === 1 || cgroupOf(stat.parent) !== cgroup)
}

/**
 * Brings the record of a command that ended up to date, or removes it. INVARIANT: L8, whatever of the command still runs
 * descends from a member of its session, from a process in `left`, or from one that was adopted since: a process can be
 * replaced by its child at any time, so only a moment without any of these ends the record.
 */
function settle(path: string, record: RunningCommand, table: ProcessTable): RunningCommand | null {
  const { orphans, hasMembers, isCertain } = survivors(record, table)
  const known = (record.left ?? []).filter((one) => isRunning(one, table) || hasMembers(one))
  const others = orphans.filter(({ pid, started }) => !known.some((one) => one.pid === pid && one.started === started))
  const left = [...known, ...others].slice(0, MOST_LEFT)
  if (left.length === 0 && isCertain && !hasMembers(record)) {
    rmSync(path, { force: true })
    return null
  }
  const settled = { ...record, left }
  const text = JSON.stringify(settled)
  if (text !== JSON.stringify(record)) writeFileSync(path, text, { mode: 0o600 })
  return settled
}

interface Survivors {
  /** Processes that may have been left behind by the command. */
  readonly orphans: readonly ProcessId[]
  /** Whether a process is in the session of a leader. */
  hasMembers(leader: ProcessId): boolean
  /** False if processes ended meanwhile, so that their children may have been missed. */
  readonly isCertain: boolean
}

/** INVARIANT: L10. So many times the processes are listed, until none of them ends meanwhile. */
const MOST_LOOKS = 5

/** What may still run of a command. A process that ends during the look may have a new child, so the look is repeated. */
function survivors(record: RunningCommand, table: ProcessTable): Survivors {
  let dead: ReadonlySet<number> = new Set()
  for (let look = 1; ; look += 1) {
    const young = process.platform === 'linux' ? pidsSince(record.pid) : [record.pid]
    const stats = young.map((pid) => ({ pid, stat: table(pid) }))
    const orphans = stats.flatMap(({ pid, stat }) =>
      stat !== undefined && mayBeOrphanOf(record, pid, table) ? [{ pid, started: stat.started }] : [],
    )
    const ended = young.filter((pid) => table(pid)?.ended !== false)
    const isCertain = process.platform !== 'linux' || ended.every((pid) => dead.has(pid))
    dead = new Set(ended)
    if (!isCertain && orphans.length === 0 && look < MOST_LOOKS) continue
    const hasMembers = (leader: ProcessId): boolean =>
      stats.some(
        ({ stat }) =>
          stat !== undefined && !stat.ended && (stat.session === null || isSessionOf(leader, stat.session, table)),
      )
    return { orphans, hasMembers, isCertain }
  }
}

function recordsFolder(home: Home): string {
  return join(home.run, 'commands')
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function readRecord(path: string): RunningCommand | undefined {
  const text = readOwnFile(path, MOST_BYTES, 'CS_HOME')
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text) as RunningCommand
  } catch {
    throw new CountersignError('CS_HOME', `\`${path}\` is damaged; stop the agents and remove it`)
  }
}

/** The processes that may be younger than one. Numbers grow until they wrap around, which rules out most unread. */
function pidsSince(first: number): readonly number[] {
  const last = Number(textOf('/proc/loadavg').trim().split(' ').at(-1))
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    return Number.isInteger(pid) && (last < first || (pid >= first && pid <= last)) ? [pid] : []
  })
}

let boot: string | undefined

function bootId(): string {
  boot ??= textOf('/proc/sys/kernel/random/boot_id').slice(0, 8)
  return boot
}

function cgroupOf(pid: number): string {
  return textOf(`/proc/${pid}/cgroup`).slice(0, 4_096)
}

/** The PID namespace of this process; empty where there are none. */
export function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
