import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalApprover, type OpenedGate, type OpenOptions, openApprover, openGate } from '@countersign/node'

/** A gate with its own home, opened like in a program: real files, real SQLite. */
export interface Stage extends OpenedGate {
  readonly approver: LocalApprover
  readonly root: string
  readonly workspace: string
  close(): Promise<void>
}

export interface StageOptions {
  /** The user's `policy.yaml`; only the preset if absent. */
  readonly policy?: string
  readonly bounds?: { readonly held: number; readonly heldInSession: number }
  readonly telemetry?: OpenOptions['telemetry']
  /** The address of a store on PostgreSQL, with its tables. */
  readonly store?: string
}

/** A typical PATH: npm prepends many more folders, and each of them is searched. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Opens a gate in a temporary folder, with the file `src/index.ts` in its workspace. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const root = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  const home = join(root, 'home')
  const workspace = join(root, 'project')
  mkdirSync(home, { mode: 0o700 })
  mkdirSync(join(workspace, 'src'), { recursive: true })
  writeFileSync(join(workspace, 'src/index.ts'), 'export {}\n')
  if (options.policy !== undefined) writeFileSync(join(home, 'policy.yaml'), options.policy, { mode: 0o600 })
  process.env['PATH'] = SEARCH_PATH
  const opened = await openGate({
    home,
    workspace,
    ...(options.bounds === undefined ? {} : { bounds: options.bounds }),
    ...(options.telemetry === undefined ? {} : { telemetry: options.telemetry }),
    ...(options.store === undefined ? {} : { store: options.store }),
  })
  return {
    ...opened,
    root,
    workspace,
    approver: openApprover(opened.home, { name: 'ana' }),
    async close() {
      await opened.gate.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
