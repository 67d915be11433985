import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalApprover, type OpenedGate, openApprover, openGate } from '@countersign/node'

/** A gate on a home of its own, opened as a program would: real files, real SQLite, nothing between. */
export interface Stage extends OpenedGate {
  readonly approver: LocalApprover
  readonly root: string
  readonly workspace: string
  close(): Promise<void>
}

export interface StageOptions {
  /** The person's `policy.yaml`; the preset alone when absent. */
  readonly policy?: string
  readonly bounds?: { readonly held: number; readonly heldInSession: number }
}

/** Where an account finds its programs: npm puts many more folders in front, and each is looked into. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin'

/** Opens a gate in a temporary folder, with one file to read at `src/index.ts` of its workspace. */
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
