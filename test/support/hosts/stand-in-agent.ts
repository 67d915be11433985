import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { COMMAND_ENV, COMMAND_LINE } from '../command/command.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** How a process of the agent ended. */
export interface AgentRan {
  readonly pid: number
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** A process that stands in for Claude Code: its hooks and tools are its children. */
export interface StandInAgent {
  readonly pid: number
  readonly workspace: string
  readonly home: string
  /** The words of its hook, without event and token. */
  readonly hook: string
  /** Runs a shell line as a child of the agent. */
  run(command: string, input?: string, started?: (pid: number) => void): Promise<AgentRan>
  /** Its hook before a tool call; `more` are other fields of the event. */
  before(tool: string, input: object, more?: BeforeOptions): Promise<Answered>
  /** Its hook after a tool call. */
  after(tool: string, input: object, more: AfterOptions): Promise<AgentRan>
  end(): Promise<void>
}

export interface BeforeOptions {
  /** The id of the tool call; a new one unless given. */
  readonly id?: string
  readonly session?: string
  readonly token?: string
  readonly fields?: object
  readonly started?: (pid: number) => void
}

export interface AfterOptions extends BeforeOptions {
  readonly id: string
  readonly response?: object
  readonly error?: string
}

/** What the hook answered. */
export interface Answered extends AgentRan {
  readonly decision: string | undefined
  readonly reason: string
  /** The command to run, as Claude Code would run it, if it asks after its person agreed; undefined if it must not run. */
  readonly command: string | undefined
}

const PROGRAM = fileURLToPath(new URL('./agent.mjs', import.meta.url))

/** Starts an agent in a project of its own; it ends with the test. */
export async function startAgent(at: {
  readonly home: string
  readonly workspace?: string
  /** Whether it looks as if a person sits before it. */
  readonly isAttended?: boolean
}): Promise<StandInAgent> {
  const workspace = at.workspace ?? join(temporaryFolder(), 'project')
  mkdirSync(workspace, { recursive: true })
  const child = spawn(process.execPath, [PROGRAM], {
    cwd: workspace,
    env: at.isAttended === true ? { ...COMMAND_ENV, DISPLAY: ':4711' } : withoutDisplay(COMMAND_ENV),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  const waiting = new Map<number, { started?: (pid: number) => void; done: (ran: AgentRan) => void }>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, started, ...ran } = JSON.parse(line) as AgentRan & { readonly id: number; readonly started?: number }
    const waiter = waiting.get(id)
    if (started !== undefined) return waiter?.started?.(started)
    waiting.delete(id)
    waiter?.done(ran)
  })
  let count = 0
  const run: StandInAgent['run'] = (command, input = '', started) => {
    count += 1
    const id = count
    return new Promise((done) => {
      waiting.set(id, { done, ...(started === undefined ? {} : { started }) })
      child.stdin.write(`${JSON.stringify({ id, command, input })}\n`)
    })
  }
  const hook = `${COMMAND_LINE} hook claude-code --home '${at.home}'`
  let calls = 0

  function event(name: string, tool: string, input: object, more: BeforeOptions) {
    calls += 1
    const { session = 'session-1', id = `toolu_${calls}`, fields = {} } = more
    return {
      session_id: session,
      transcript_path: join(workspace, '../transcript.jsonl'),
      cwd: workspace,
      permission_mode: 'default',
      hook_event_name: name,
      tool_name: tool,
      tool_input: input,
      tool_use_id: id,
      ...fields,
    }
  }

  function runHook(name: string, payload: object, { token, started }: BeforeOptions): Promise<AgentRan> {
    const flag = token === undefined ? '' : ` --token ${token}`
    return run(`${hook}${flag} ${name}`, JSON.stringify(payload), started)
  }

  return {
    pid: child.pid ?? 0,
    workspace,
    home: at.home,
    hook,
    run,
    async before(tool, input, more = {}) {
      const ran = await runHook('PreToolUse', event('PreToolUse', tool, input, more), more)
      return { ...ran, ...answerOf(ran, input) }
    },
    after(tool, input, { response, error, ...more }) {
      const name = error === undefined ? 'PostToolUse' : 'PostToolUseFailure'
      const told = error === undefined ? { tool_response: response ?? {} } : { error, is_interrupt: false }
      return runHook(name, { ...event(name, tool, input, more), ...told }, more)
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

function withoutDisplay({ DISPLAY: _, WAYLAND_DISPLAY: __, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env
}

/** As Claude Code reads it. */
function answerOf({ stdout, code }: AgentRan, input: object): Pick<Answered, 'decision' | 'reason' | 'command'> {
  if (stdout === '' || code !== 0) return { decision: undefined, reason: '', command: undefined }
  const { hookSpecificOutput: output } = JSON.parse(stdout) as {
    readonly hookSpecificOutput: {
      readonly permissionDecision: string
      readonly permissionDecisionReason: string
      readonly updatedInput?: { readonly command?: string }
    }
  }
  const { permissionDecision: decision, permissionDecisionReason: reason, updatedInput } = output
  const { command } = updatedInput ?? (input as { readonly command?: string })
  return { decision, reason, command: decision === 'allow' || decision === 'ask' ? command : undefined }
}
