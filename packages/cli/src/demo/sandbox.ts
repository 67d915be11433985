import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AgentTool, readScript, type Script, scriptedModel } from '@countersign/agent'
import { openGate, systemClock } from '@countersign/node'
import { type Conversation, openConversation } from '../chat/conversation.ts'

/** The demonstration's own small world: a project, and a home of its own, so that a person's real store is untouched. */
export interface Stage {
  readonly root: string
  readonly conversation: Conversation
  clear(): void
}

const FILES = {
  'notes.txt': 'milk\nbread\ncall Ana about the release\n',
  '.env': 'REGION=eu\nRETRIES=3\n',
  'old.log': 'nothing of interest\n',
} as const

/** Many refusals are the point of it. */
const GUARDS = { errors: 100 }

/** Builds it in the temporary folder. Held calls wait `timeout` there; `paceMs` lies between two words of the agent. */
export async function openStage(timeout: string, paceMs: number): Promise<Stage> {
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
    conversation.subscribe((event) => {
      // A call that was approved may have taken the project away.
      if (event.kind === 'over' && !existsSync(project)) build(project)
    })
    return { root, conversation, clear }
  } catch (error) {
    clear()
    throw error
  }
}

function build(project: string): void {
  mkdirSync(project, { recursive: true })
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(project, name), text)
}

/** What the person asks for. The script answers whatever it is. */
export const OPENING = 'Tidy up this project, please.'

/** The script that ships with the command: beside this file in the sources, beside the bundle when built. */
function demoScript(): Script {
  return readScript(readFileSync(new URL('./demo.yaml', import.meta.url), 'utf8'), 'demo')
}

/** Tools that only pretend: one that nobody described, and one whose effect could not be taken back. */
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
