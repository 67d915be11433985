import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type OpenedGate, openGate } from '@countersign/node'

/** The demonstration's own small world: a project, and a home of its own, so that a person's real store is untouched. */
export interface Stage {
  readonly root: string
  readonly project: string
  readonly opened: OpenedGate
  /** Puts the project back as it was: a call that was approved may have taken it away. */
  reset(): void
  clear(): void
}

const FILES = {
  'notes.txt': 'milk\nbread\ncall Ana about the release\n',
  '.env': 'REGION=eu\nRETRIES=3\n',
  'old.log': 'nothing of interest\n',
} as const

/** Builds it in the temporary folder. Held calls wait `timeout` there. */
export async function openStage(timeout: string): Promise<Stage> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-demo-')))
  const project = join(root, 'shop', 'site')
  const home = join(root, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), `version: 1\npreset: balanced\ndefaults: { timeout: ${timeout} }\n`, {
    mode: 0o600,
  })
  const reset = (): void => {
    mkdirSync(project, { recursive: true })
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
  }
  reset()
  const clear = (): void => rmSync(root, { recursive: true, force: true })
  try {
    return { root, project, opened: await openGate({ home, workspace: project }), reset, clear }
  } catch (error) {
    clear()
    throw error
  }
}
