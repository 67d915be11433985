import { resolve } from 'node:path'
import { type McpTools, openMcpTools, readMcpConfig } from '@countersign/agent'
import { CountersignError, formatProblem, type SafeText, safeText } from '@countersign/core'
import { type OpenedGate, openGate } from '@countersign/node'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type LocalKey, localKey } from '../home/approver-key.ts'
import { refuseInside } from '../home/nested-call-guard.ts'
import { NOTIFY_WAYS, type NotifyWay } from '../notify/notify.ts'
import { openModel, readGiven } from '../run/open-model.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say } from '../terminal/io.ts'
import { hasScreen } from '../terminal/screen.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { showChat } from './show-chat.ts'
import { sayOnce } from './single-turn.ts'

interface ChatFlags {
  readonly model?: string
  readonly script?: string
  readonly mcp?: string
  readonly workspace?: string
  readonly message?: string
  readonly linear?: boolean
  readonly notify: NotifyWay
}

/** `countersign chat`: an agent in the terminal whose every tool passes the gate. */
export const command: Subcommand = {
  name: 'chat',
  summary: 'talk to an agent whose every tool passes the gate',
  define(command, io) {
    addExamples(command, [
      ['countersign chat --model anthropic/NAME', 'with ANTHROPIC_API_KEY set'],
      ['countersign chat --model openai/NAME', 'any server of OPENAI_BASE_URL'],
      ['countersign chat --message "what is in here?"', 'one answer, in plain lines'],
    ])
    command
      .option('--model <provider/name>', 'the model; else COUNTERSIGN_MODEL')
      .option('--script <file>', 'play a script of turns instead of a model')
      .option('--mcp <file>', 'MCP servers whose tools the agent gets as well (JSON)')
      .option('--workspace <dir>', 'the folder the agent works in (default: the current one)')
      .option('--message <text>', 'say this, print the answer, and end')
      .option('--linear', 'text in lines, without frames: for a screen reader')
      .addOption(
        new Option('--notify <how>', 'how you are called when a call is held').choices(NOTIFY_WAYS).default('bell'),
      )
      .action((flags: ChatFlags) => chat(flags, io))
  },
}

async function chat(flags: ChatFlags, io: Io): Promise<void> {
  refuseInside(io)
  if (flags.message === undefined && !hasScreen(io)) return refuse(io)
  const model = await openModel({ script: flags.script, model: flags.model }, io)
  const workspace = resolve(io.cwd, flags.workspace ?? '.')
  const opened = await openGate({
    workspace,
    tier: 'T0',
    ...(io.home === undefined ? {} : { home: resolve(io.cwd, io.home) }),
  })
  let conversation: Conversation | null = null
  let mcp: McpTools | null = null
  try {
    mcp = await openServers(flags.mcp, opened, io)
    conversation = openConversation({ opened, model, name: 'chat', tools: mcp?.tools ?? [] })
    const notes = [...(mcp?.problems ?? []).map(safeText), ...stateOf(opened)]
    if (flags.message !== undefined) return await sayOnce(flags.message, conversation, notes, io)
    const key = localKey(opened.home, (line) => notes.push(safeText(line)))
    await show(flags, conversation, key, notes, io)
  } finally {
    await (conversation ?? { close: () => opened.gate.close() }).close()
    await mcp?.close()
  }
}

function show(
  { linear, notify }: ChatFlags,
  conversation: Conversation,
  key: LocalKey,
  notes: readonly SafeText[],
  io: Io,
): Promise<void> {
  return showChat({ conversation, key, notes, notify, linear: linear === true }, io)
}

/** What a person should know before anything runs. */
function stateOf({ gate }: OpenedGate): readonly SafeText[] {
  const problems = gate
    .policyProblems()
    .slice(0, 3)
    .map((problem) => safeText(`${formatProblem(problem)}; everything is held until it is mended [CS_POLICY_INVALID]`))
  const classic = safeText('preset classic: nothing is held, everything is recorded')
  return gate.preset() === 'classic' ? [classic, ...problems] : problems
}

async function openServers(path: string | undefined, { places }: OpenedGate, io: Io): Promise<McpTools | null> {
  if (path === undefined) return null
  return openMcpTools(readMcpConfig(readGiven(path, io), path), { workspace: places.workspace })
}

function refuse(io: Io): void {
  const { message, code } = new CountersignError(
    'CS_NO_INTERFACE',
    'chat needs a terminal; say one thing with `--message`, or give it a task with `countersign run`',
  )
  say(io, `countersign: ${message} [${code}]`)
  io.exit(EXIT.unasked.code)
}
