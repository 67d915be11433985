import { type Call, CountersignError, formatProblem, parseDuration, readTraceparent, safeText } from '@countersign/core'
import { type OpenedGate, openGate } from '@countersign/node'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { ownTelemetry } from '../home/own-telemetry.ts'
import { type Io, say } from '../terminal/io.ts'
import { execCall, NOT_FOUND } from './command-call.ts'
import { reportResult } from './outcome.ts'
import { runGated } from './run-gated.ts'

interface ExecFlags {
  readonly input?: boolean
  readonly timeout?: string
  readonly said?: string
  readonly reasoning?: string
  readonly production?: boolean
  readonly agent?: string
  readonly workspace?: string
  readonly quiet?: boolean
  readonly outside?: boolean
}

/** `countersign exec`: runs one command through the gate. */
export const command: Subcommand = {
  name: 'exec',
  summary: 'run a command through the gate',
  define(command, io) {
    addExamples(command, [
      ['countersign exec -- git push origin main', 'run directly, without a shell'],
      ["countersign exec -- 'make && make install'", 'a single word is a bash command line'],
      ['countersign exec --no-input -- npm test', 'fail instead of asking'],
    ])
    command
      .argument('<command...>', 'the command; a single word is a shell command line')
      .option('--no-input', 'fail at once if approval is needed')
      .option('--timeout <duration>', 'wait at most this long for a decision, for example 30s or 2m')
      .option('--said <text>', 'the agent’s message about this call; shown to the approver')
      .option('--reasoning <text>', 'the agent’s thinking before this call; collapsed on the card, kept in the journal')
      .option('--production', 'the command acts on production; raises its risk')
      .option('--agent <name>', 'name of the agent')
      .option('--workspace <dir>', 'folder the agent works in (default: current folder)')
      .option('--outside', 'ask for approval to run the command outside the sandbox')
      .option('-q, --quiet', 'hide notices; refusals are still printed')
      .usage('[options] -- <command...>')
      .passThroughOptions()
      .action((words: readonly string[], flags: ExecFlags) => exec(words, flags, io))
  },
}

async function exec(words: readonly string[], flags: ExecFlags, io: Io): Promise<void> {
  const traceparent = readTraceparent(io.env['TRACEPARENT'])
  const about = { ...aboutCall(flags), ...(traceparent === undefined ? {} : { traceparent }) }
  const home = io.home === undefined ? {} : { home: io.home }
  const workspace = flags.workspace ?? io.cwd
  const opened = await openGate({ session: 'none', tier: 'T1', workspace, ...home, ...(await ownTelemetry()) })
  try {
    for (const problem of (await opened.gate.policyProblems()).slice(0, 3))
      say(
        io,
        `countersign: ${safeText(formatProblem(problem))}; every call is held until it is fixed [CS_POLICY_INVALID]`,
      )
    if (opened.gate.preset() === 'classic' && flags.quiet !== true)
      say(io, 'countersign: preset classic: no calls are held, all calls are recorded; use another preset to be asked')
    const call = await findCall(words, opened, io)
    if (call === null) return
    const { result, told } = await runGated(
      { ...call, ...about },
      opened,
      { input: flags.input !== false, quiet: flags.quiet === true },
      io,
    )
    reportResult(result, io, told)
  } finally {
    await opened.gate.close()
  }
}

/** Builds the call. A missing program is reported with a shell's exit code, and null is returned: nobody needs to be asked. */
async function findCall(
  words: readonly string[],
  { ports }: OpenedGate,
  io: Io,
): Promise<(Call & { readonly id: string }) | null> {
  try {
    return { ...(await execCall(words, io.cwd, ports.targets)), id: ports.crypto.randomId() }
  } catch (error) {
    if (!(error instanceof CountersignError) || error.code !== 'CS_TARGET') throw error
    say(io, `countersign: ${error.message} [${error.code}]`)
    io.exit(NOT_FOUND)
    return null
  }
}

function aboutCall({
  said,
  reasoning,
  production,
  agent,
  timeout,
  outside,
}: ExecFlags): Pick<Call, 'said' | 'reasoning' | 'context' | 'agent' | 'timeoutMs' | 'outside'> {
  return {
    ...(outside === true ? { outside } : {}),
    ...(said === undefined ? {} : { said }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(production === true ? { context: { environment: 'production' } } : {}),
    ...(agent === undefined ? {} : { agent: { name: agent } }),
    ...(timeout === undefined ? {} : { timeoutMs: parseTimeout(timeout) }),
  }
}

function parseTimeout(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null) return ms
  throw new CountersignError('CS_USAGE', `can’t read \`${safeText(text)}\` as a duration; try 30s, 5m or 2h`)
}
