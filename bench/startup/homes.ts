import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { openStage } from '../gate/stage.ts'
import { ALL_HELD } from '../service/held-policy.ts'

const HELD = 40
const PAST = 200

/** The homes for measured commands. */
export interface Homes {
  /** An empty home. */
  readonly empty: string
  /** A policy, a journal of past calls, and many held calls. */
  readonly full: string
  close(): Promise<void>
}

export async function openHomes(): Promise<Homes> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const empty = join(root, 'empty')
  mkdirSync(empty, { mode: 0o700 })
  const stage = await openStage({ policy: ALL_HELD })
  for (let at = 0; at < PAST; at += 1) await stage.gate.run(shell(`echo ${at}`), async () => null)
  for (let at = 0; at < HELD; at += 1) await stage.gate.submit(shell(`git push origin branch-${at}`))
  return {
    empty,
    full: join(stage.root, 'home'),
    async close() {
      await stage.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function shell(command: string): Call {
  return { tool: 'execute_command', args: { command } }
}
