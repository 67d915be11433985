import { constants } from 'node:os'
import { resolve } from 'node:path'
import {
  type AgentEvent,
  type McpTools,
  openMcpTools,
  type Redactor,
  readMcpConfig,
  readTask,
  runTask,
  type TaskReport,
  writeArtefacts,
} from '@countersign/agent'
import { countWords, formatProblem, type Gate, markOf, redactText, safeLines, safeText } from '@countersign/core'
import { timeOfDay } from '@countersign/terminal/card'
import { Option } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { openModel, readNamedFile } from './open-model.ts'

interface RunFlags {
  readonly model?: string
  readonly script?: string
  readonly mcp?: string
  readonly artefacts?: string
  readonly onHold: 'refuse' | 'wait'
  readonly workspace?: string
  readonly quiet?: boolean
}

/** `countersign run`: does one task unattended. */
export const command: Subcommand = {
  name: 'run',
  summary: 'let an agent do a task unattended, within limits',
  define(command, io) {
    addExamples(command, [
      ['countersign run task.yaml --model anthropic/NAME', 'refuse calls that need approval'],
      ['countersign run task.yaml --artefacts out', 'also write a report'],
      ['countersign run task.yaml --on-hold wait', 'hold calls that need approval'],
    ])
    command
      .argument('<task>', 'YAML file with the task')
      .option('--model <provider/name>', 'model to use (default: from the task, then COUNTERSIGN_MODEL)')
      .option('--script <file>', 'play a scripted conversation instead of a model')
      .option('--mcp <file>', 'JSON file of MCP servers whose tools the agent can use')
      .option('--artefacts <dir>', 'folder for report.json, report.md and transcript.json')
      .addOption(
        new Option('--on-hold <what>', 'what to do with calls that need approval')
          .choices(['refuse', 'wait'])
          .default('refuse'),
      )
      .option('--workspace <dir>', 'folder the agent works in (default: current folder)')
      .option('-q, --quiet', 'hide progress')
      .action((task: string, flags: RunFlags) => run(task, flags, io))
  },
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

async function run(path: string, flags: RunFlags, io: Io): Promise<void> {
  const task = readTask(readNamedFile(path, io), path)
  const chosen = flags.script === undefined ? (flags.model ?? task.model ?? undefined) : flags.model
  const model = await openModel({ script: flags.script, model: chosen }, io)
  const workspace = flags.workspace ?? io.cwd
  const aborting = new AbortController()
  let ended: (typeof SIGNALS)[number] | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    ended ??= SIGNALS.find((one) => one === signal) ?? null
    aborting.abort()
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  const mcp = await openServers(flags.mcp, workspace, io)
  try {
    const where = io.home === undefined ? '' : ` --home ${safeText(io.home)}`
    let progress: ReturnType<typeof createProgress> = () => null
    const ran = await runTask({
      task,
      model,
      workspace,
      onHold: flags.onHold,
      signal: aborting.signal,
      tools: mcp?.tools ?? [],
      ...(io.home === undefined ? {} : { home: io.home }),
      onOpen: async (gate, redactor) => {
        progress = createProgress(where, redactor)
        await sayState(gate, flags, io)
      },
      onEvent: (event) => {
        // With `refuse`, calls are held only for an instant; nobody could decide them.
        const isSaid = flags.quiet !== true && (event.kind !== 'held' || flags.onHold === 'wait')
        const line = isSaid ? progress(event) : null
        if (line !== null) say(io, `countersign: ${line}`)
      },
    })
    const code = ended === null ? exitCodeOf(ran.report) : 128 + constants.signals[ended]
    io.exit(code)
    if (flags.artefacts !== undefined) writeArtefacts(resolve(io.cwd, flags.artefacts), ran)
    report(ran.report, code, io)
  } finally {
    for (const signal of SIGNALS) process.off(signal, onSignal)
    await mcp?.close()
  }
}

async function openServers(path: string | undefined, workspace: string, io: Io): Promise<McpTools | null> {
  if (path === undefined) return null
  const mcp = await openMcpTools(readMcpConfig(readNamedFile(path, io), path), {
    workspace: resolve(io.cwd, workspace),
  })
  for (const problem of mcp.problems) say(io, `countersign: ${safeText(problem)}`)
  return mcp
}

/** Warnings to show before anything runs. */
async function sayState(gate: Gate, { quiet }: RunFlags, io: Io): Promise<void> {
  for (const problem of (await gate.policyProblems()).slice(0, 3))
    say(
      io,
      `countersign: ${safeText(formatProblem(problem))}; every call is held until it is fixed [CS_POLICY_INVALID]`,
    )
  if (gate.preset() === 'classic' && quiet !== true)
    say(
      io,
      'countersign: preset classic: no calls are held, all calls are recorded; the limits of the task still apply',
    )
}

function exitCodeOf({ outcome }: TaskReport): number {
  return outcome === 'aborted' ? EXIT.withdrawn.code : EXIT[outcome].code
}

function report({ outcome, stop, changes, calls, answer, ...rest }: TaskReport, exitCode: number, io: Io): void {
  if (io.json) {
    printJson(io, { exitCode, outcome, stop, changes, calls, answer, ...rest })
    return
  }
  if (answer !== '') for (const line of safeLines(answer)) print(io, line)
  const ran = calls.filter((call) => call.outcome === 'completed').length
  const why = stop.why === 'done' ? '' : `; ${safeText(stop.message)}`
  say(
    io,
    `countersign: ${outcome}: ${ran} of ${countWords(calls.length, 'call')} ran, ${countWords(changes.length, 'file')} changed${why}`,
  )
}

/**
 * Turns events of a run into progress lines; null for events without one. SECURITY: A25 the lines end up in CI logs, so
 * secrets are redacted as in the journal, before anything is shortened.
 */
function createProgress(where: string, redactor: Redactor): (event: AgentEvent) => string | null {
  const calls = new Map<string, string>()
  const named = (callId: string): string => calls.get(callId) ?? 'a call'
  return (event) => {
    switch (event.kind) {
      case 'requested':
        calls.set(event.callId, `\`${shown(event.call.tool, 80)}\``)
        return null
      case 'judged':
        if (event.effect !== null) calls.set(event.callId, shown(event.effect, 200))
        return null
      case 'held':
        return `held as ${safeText(markOf(event.view))}: ${named(event.callId)}; ${decide(event.view, where)}`
      case 'completed':
        return ended(event.callId, `✔ ${named(event.callId)}${event.backup ? ' (backup kept)' : ''}`)
      case 'failed':
        return ended(event.callId, `✘ ${named(event.callId)}: ${line(event.message)}`)
      case 'refused': {
        const { outcome, message, code } = event.refusal
        return ended(event.callId, `not run, ${outcome}: ${named(event.callId)}: ${line(message)} [${code}]`)
      }
      case 'retry':
        return line(event.message)
      default:
        return null
    }
  }

  function line(text: string): string {
    return shown(text.split('\n', 1)[0] ?? '', 300)
  }

  function shown(text: string, most: number): string {
    return safeText(redactText(text, redactor).slice(0, most))
  }

  function ended(callId: string, text: string): string {
    calls.delete(callId)
    return text
  }
}

type Held = Extract<AgentEvent, { kind: 'held' }>['view']

function decide(view: Held, where: string): string {
  const mark = safeText(markOf(view))
  const { expiresAt } = JSON.parse(view.request) as { readonly expiresAt: number }
  return `approve with \`countersign approve ${mark}${where}\`, or \`reject\`, before ${timeOfDay(expiresAt)}`
}
