import { resolve } from 'node:path'
import { type McpTools, openMcpTools, readMcpConfig } from '@countersign/agent'
import { CountersignError, formatProblem, type SafeText, safeText } from '@countersign/core'
import { type OpenedGate, openGate } from '@countersign/node'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type LocalKey, localKey } from '../home/approver-key.ts'
import { NOTIFY_WAYS, type NotifyWay } from '../notify/terminal-notifier.ts'
import { openModel, readNamedFile } from '../run/open-model.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, say } from '../terminal/io.ts'
import { hasScreen } from '../terminal/screen.ts'
import { type Conversation, openConversation } from './conversation.ts'
import { showChat } from './show-chat.ts'
import { sendOneMessage } from './single-turn.ts'

interface ChatFlags {
  readonly model?: string
  readonly script?: string
  readonly mcp?: string
  readonly workspace?: string
  readonly message?: string
  readonly linear?: boolean
  readonly notify: NotifyWay
}

/** `countersign chat`: an agent in the terminal whose tool calls are gated. */
export const command: Subcommand = {
  name: 'chat',
  summary: 'chat with an agent whose tool calls are gated',
  define(command, io) {
    addExamples(command, [
      ['countersign chat --model anthropic/NAME', 'with ANTHROPIC_API_KEY set'],
      ['countersign chat --model openai/NAME', 'any server at OPENAI_BASE_URL'],
      ['countersign chat --message "what is in here?"', 'one answer, as plain text'],
    ])
    command
      .option('--model <provider/name>', 'model to use (default: COUNTERSIGN_MODEL)')
      .option('--script <file>', 'play a scripted conversation instead of a model')
      .option('--mcp <file>', 'JSON file of MCP servers whose tools the agent can use')
      .option('--workspace <dir>', 'folder the agent works in (default: current folder)')
      .option('--message <text>', 'send one message, print the answer and exit')
      .option('--linear', 'plain lines for screen readers')
      .addOption(new Option('--notify <how>', 'how to notify you of held calls').choices(NOTIFY_WAYS).default('bell'))
      .action((flags: ChatFlags) => chat(flags, io))
  },
}

async function chat(flags: ChatFlags, io: Io): Promise<void> {
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
    const notes = [...(mcp?.problems ?? []).map(safeText), ...(await stateOf(opened))]
    if (flags.message !== undefined) return await sendOneMessage(flags.message, conversation, notes, io)
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

/** Warnings to show before anything runs. */
async function stateOf({ gate, desk }: OpenedGate): Promise<readonly SafeText[]> {
  const problems = (await gate.policyProblems())
    .slice(0, 3)
    .map((problem) => safeText(`${formatProblem(problem)}; every call is held until it is fixed [CS_POLICY_INVALID]`))
  const classic = safeText('preset classic: no calls are held, all calls are recorded')
  const paused = problems.length > 0 ? null : await desk.rules().paused()
  const held = safeText(`${paused}; every call is held until \`countersign resume\``)
  return [...(gate.preset() === 'classic' ? [classic] : []), ...(paused === null ? [] : [held]), ...problems]
}

async function openServers(path: string | undefined, { places }: OpenedGate, io: Io): Promise<McpTools | null> {
  if (path === undefined) return null
  return openMcpTools(readMcpConfig(readNamedFile(path, io), path), { workspace: places.workspace })
}

function refuse(io: Io): void {
  const { message, code } = new CountersignError(
    'CS_NO_INTERFACE',
    'chat needs a terminal; send one message with `--message`, or use `countersign run`',
  )
  say(io, `countersign: ${message} [${code}]`)
  io.exit(EXIT.unasked.code)
}
