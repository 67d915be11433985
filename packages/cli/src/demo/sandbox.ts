import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentTool, readScript, type Script, scriptedModel } from '@countersign/agent'
import { openGate, systemClock } from '@countersign/node'
import { type Conversation, openConversation } from '../chat/conversation.ts'

/** A temporary project and home for the demo, so that the user's own store is not touched. */
export interface Sandbox {
  readonly root: string
  readonly conversation: Conversation
  /** Whether an approved call deleted the project. */
  isDeleted(): boolean
  clear(): void
}

const FILES = {
  'notes.txt': 'milk\nbread\ncall Ana about the release\n',
  '.env': 'REGION=eu\nRETRIES=3\n',
  'old.log': 'nothing of interest\n',
} as const

/** The demo expects many refusals. */
const GUARDS = { errors: 100 }

/** Creates the sandbox. Held calls expire after `timeout`; `paceMs` is the delay between two words of the agent. */
export async function openSandbox(timeout: string, paceMs: number): Promise<Sandbox> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-demo-')))
  const project = join(root, 'shop', 'site')
  const home = join(root, 'home')
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'policy.yaml'), `version: 1\npreset: balanced\ndefaults: { timeout: ${timeout} }\n`, {
    mode: 0o600,
  })
  build(project)
  const clear = (): void => rmSync(root, { recursive: true, force: true })
  try {
    const opened = await openGate({ home, workspace: project })
    const model = scriptedModel(demoScript(), { paceMs, clock: systemClock })
    const conversation = openConversation({ opened, model, name: 'demo', tools: PRETENDED_TOOLS, guards: GUARDS })
    return { root, conversation, isDeleted: () => !existsSync(project), clear }
  } catch (error) {
    clear()
    throw error
  }
}

function build(project: string): void {
  mkdirSync(project, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
}

/** The first message of the demo. */
export const OPENING = 'Tidy up this project, please.'

/** The bundled script: next to this file, in the sources and in the bundle. */
function demoScript(): Script {
  return readScript(readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8'), 'demo')
}

/** Fake tools: one without a description, and one whose effect could not be undone. */
const PRETENDED_TOOLS: readonly AgentTool[] = [
  {
    name: 'frobnicate',
    description: 'Frobnicates a target.',
    inputSchema: { type: 'object', properties: { target: { type: 'string' } } },
    source: 'custom',
    run: async ({ target }) => `frobnicated ${String(target)} (fake)`,
  },
  {
    name: 'send_email',
    description: 'Sends an e-mail.',
    inputSchema: { type: 'object', properties: { to: { type: 'string' }, body: { type: 'string' } } },
    source: 'custom',
    run: async ({ to }) => `sent to ${String(to)} (fake)`,
  },
]
