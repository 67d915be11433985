import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Owners } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import { processStat } from './proc-stat.ts'

/** Machines that share a store. */
export interface Machines {
  /** The id of this one. */
  readonly machine: string
  /** False only when a machine is certainly gone. */
  isAlive(machine: string): boolean
}

/**
 * Processes as owners of held calls: `pid.start.random`, so that a reused number is another process. On a store that
 * machines share, `@` and the machine follow.
 */
export function openOwners(machines?: Machines): Owners {
  const local = ownerOfProcess(process.pid)
  if (machines === undefined)
    return Object.freeze({ self: local, isAlive: (owner: string) => owner === local || isOwnerAlive(owner) })
  const self = `${local}@${machines.machine}`
  return Object.freeze({ self, isAlive: (owner: string) => owner === self || isAliveOn(machines, owner) })
}

/** INVARIANT: a process of another machine is never looked for here, where its number means another one. */
function isAliveOn({ machine, isAlive }: Machines, owner: string): boolean {
  const at = owner.lastIndexOf('@')
  if (at < 0) return true // unreadable here, as below
  const where = owner.slice(at + 1)
  return where === machine ? isOwnerAlive(owner.slice(0, at)) : isAlive(where)
}

/** A process of this machine as an owner, named like `self` of these owners. */
export function ownerBeside({ self }: Owners, owner: string): string {
  const at = self.lastIndexOf('@')
  return at < 0 || owner.includes('@') ? owner : `${owner}${self.slice(at)}`
}

/** A process as an owner of calls. */
export function ownerOfProcess(pid: number): string {
  return `${pid}.${startOf(pid) ?? '0'}.${randomBytes(8).toString('hex')}`
}

/** The number of an owner’s process; null if it can’t be read. */
export function processOfOwner(owner: string): number | null {
  const pid = Number(owner.split('.', 1)[0])
  return Number.isSafeInteger(pid) && pid > 1 ? pid : null
}

/** False only when the owner is certainly gone. */
export function isOwnerAlive(owner: string): boolean {
  const [, pid, start] = /^([1-9]\d{0,9})\.([^.]+)\.[0-9a-f]+$/.exec(owner) ?? []
  // An unreadable owner is never reported as gone; its call ends at its deadline.
  if (pid === undefined || start === undefined) return true
  const running = startOf(Number(pid))
  if (running !== undefined) return running === start || (start === '0' && running !== 'gone')
  return isSignalable(Number(pid))
}

/** When a process began, on this boot; undefined when it is gone or cannot be seen, `gone` when it only waits for its burial. */
function startOf(pid: number): string | undefined {
  const stat = processStat(pid)
  if (stat === undefined) return undefined
  return stat.ended ? 'gone' : `${stat.started}-${bootId()}`
}

let boot: string | undefined

function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
  return boot
}

/** Whether a process of this number exists, where its beginning cannot be read (macOS, a hidden /proc). */
function isSignalable(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH'
  }
}
