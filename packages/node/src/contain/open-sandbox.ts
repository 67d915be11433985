import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Places, Sandbox, SandboxStatus } from '@countersign/core'
import { openOwnFolder, readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import { findBubblewrap } from './bubblewrap.ts'
import { proveSandbox } from './probe.ts'
import { newQuarantine } from './profile/private-cache.ts'
import { seccompFilter } from './profile/seccomp.ts'
import { recoverRuns } from './workspace/run-records.ts'

/** Raised when the profile or the attempts change, so that proofs of an older program do not count. */
const PROFILE_VERSION = 1

const WORKS: SandboxStatus = { kind: 'works', name: 'bubblewrap' }
const known = new Map<string, SandboxStatus | Promise<SandboxStatus>>()

/**
 * The sandbox of this machine. It is tried once: a proof is kept in the gate's home, where no contained command reaches it,
 * and counts while bubblewrap, kernel and account are the same. A failure is never kept. Cleans up after runs that were killed.
 */
export function openSandbox(places: Places): Sandbox {
  try {
    recoverRuns(places.gate, () => newQuarantine(places.gate))
  } catch {
    // Tried again before the next run, which does not start then.
  }
  return {
    status() {
      const before = known.get(places.gate)
      if (before !== undefined) return before
      const status = isProven(places.gate) ? WORKS : prove(places)
      known.set(places.gate, status)
      return status
    },
  }
}

async function prove(places: Places): Promise<SandboxStatus> {
  try {
    const { status } = await proveSandbox(places)
    if (status.kind === 'works') keepProof(places.gate)
    known.set(places.gate, status)
    return status
  } catch (error) {
    known.delete(places.gate)
    const why = error instanceof Error ? error.message : 'unknown'
    return { kind: 'broken', why: `the sandbox could not be tested (${why})`, fix: 'run `countersign doctor`' }
  }
}

function proofFile(gate: string): string {
  return join(gate, 'contained', 'proof')
}

function isProven(gate: string): boolean {
  try {
    const key = proofKey()
    return key !== undefined && readOwnFile(proofFile(gate), 1_024, 'CS_HOME') === key
  } catch {
    return false
  }
}

function keepProof(gate: string): void {
  const key = proofKey()
  if (key === undefined) return
  openOwnFolder(join(gate, 'contained'), 'CS_HOME')
  replaceOwnFile(proofFile(gate), key)
}

/** Whatever could change the result: bubblewrap, the running kernel and its settings, the account, the profile. */
function proofKey(): string | undefined {
  const path = findBubblewrap()
  if (path === undefined || process.platform !== 'linux') return undefined
  const { dev, ino, size, mode, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  const facts = [path, dev, ino, size, mode, mtimeNs, ctimeNs, process.getuid?.(), PROFILE_VERSION]
  const settings = [
    '/proc/sys/kernel/random/boot_id',
    '/proc/sys/user/max_user_namespaces',
    '/proc/sys/kernel/unprivileged_userns_clone',
    '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  ].map(textOf)
  return createHash('sha256')
    .update([...facts, ...settings].join('\n'))
    .update(seccompFilter())
    .digest('hex')
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return 'absent'
  }
}
