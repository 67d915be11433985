import { StringDecoder } from 'node:string_decoder'
import {
  CommandFailed,
  type ContainedEnd,
  type Ended,
  INSIDE,
  runCommand,
  runContained,
  unaskedEnvironment,
} from '@countersign/node'
import * as z from 'zod'
import { withoutModelKeys } from '../model/api-keys.ts'
import type { ToolRun } from './definition/agent-tool.ts'
import { defineTool } from './definition/define-tool.ts'
import { keepOutput } from './definition/output-limit.ts'
import { toolFailure } from './definition/tool-failure.ts'
import { toolPath } from './definition/tool-path.ts'

const USUAL_MS = 120_000
const MAX_MS = 3_600_000
const MAX_CHARACTERS = 30_000
/** The limit of streamed output. INVARIANT: L10. */
const MAX_STREAMED = 1024 * 1024

/** `execute_command`: a bash command line in its own process group, without a terminal. */
export const executeCommandTool = defineTool({
  name: 'execute_command',
  description: `Runs a bash command line and waits. No terminal, no input; background processes end with it. Stopped after ${USUAL_MS / 1000} s unless timeout_ms is set. Without a person’s approval it runs in a sandbox: it can change only the workspace and has no network.`,
  input: z.strictObject({
    command: z.string().min(1),
    cwd: z.string().min(1).optional().describe('The folder to run in; default: the workspace.'),
    timeout_ms: z.int().min(1).max(MAX_MS).optional(),
    outside_sandbox: z
      .boolean()
      .optional()
      .describe('Ask for approval to run it outside the sandbox; only after the sandbox refused something it needs.'),
  }),
  containable: true,
  asksOutside: ({ outside_sandbox: outside }) => outside === true,
  async run({ command, cwd = '.', timeout_ms: timeoutMs = USUAL_MS }, run) {
    const output = keepOutput(MAX_CHARACTERS)
    const stream = streaming(run, (text) => output.add(text))
    const call = run.callId ?? 'agent'
    const env = { ...withoutModelKeys(process.env), [INSIDE]: call }
    const isProven = run.sandbox == null && run.isUnasked === true
    const running = {
      cwd: toolPath(cwd, { workspace: run.workspace }),
      stdio: 'pipe',
      env: isProven ? unaskedEnvironment(env) : env,
      ...(run.home === undefined ? {} : { gated: { home: run.home, call } }),
      onOutput: stream.take,
      signal: run.signal,
      timeoutMs,
    } as const
    const ended: Ended & Partial<ContainedEnd> =
      run.sandbox == null
        ? await runCommand({ command }, { ...running, endLeftBehind: true, isProven })
        : await runContained({ command }, { ...running, bounds: run.sandbox.bounds, places: run.sandbox.places })
    run.sandbox?.refused(ended.sandbox?.refused ?? [])
    stream.end()
    const said = output.text()
    if (ended.how === 'not-started') throw toolFailure(ended.problem ?? 'the command did not start')
    run.ended?.({ exitCode: ended.exitCode, output: said })
    const fail = (problem: string | null, more = ''): Error =>
      new CommandFailed({ ...ended, problem }, { output: said, more })
    if (ended.how === 'aborted') throw fail('the command was stopped')
    if (ended.how === 'timed-out') throw fail(`the command was stopped: it took longer than ${timeoutMs} ms`)
    const left = leftWords(ended.leftBehind)
    const refused = refusedWords(ended.sandbox?.line ?? null)
    if (ended.exitCode !== 0) throw fail(null, `${left}${refused}`)
    if (said === '') return `it ended with exit code 0 and no output${left}`
    return left === '' ? said : withOutput(`it ended with exit code 0${left}`, said)
  },
})

function refusedWords(line: string | null): string {
  if (line === null) return ''
  return `; ${line}. If the command needs it, call again with outside_sandbox: true; a person decides`
}

function leftWords(count: number): string {
  return count === 0 ? '' : `; ended ${count} ${count === 1 ? 'process' : 'processes'} it left behind`
}

function withOutput(line: string, said: string): string {
  return said === '' ? line : `${line}\n${said}`
}

/** Decodes each stream separately: a character may arrive in two pieces. */
function streaming(run: ToolRun, keep: (text: string) => void) {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let streamed = 0
  const tell = (stream: 'stdout' | 'stderr', text: string): void => {
    if (text === '') return
    keep(text)
    if (streamed >= MAX_STREAMED) return
    const shown = text.slice(0, MAX_STREAMED - streamed)
    streamed += shown.length
    run.output(stream, shown)
    if (streamed >= MAX_STREAMED) run.output(stream, '\n[more output is not shown]\n')
  }
  return {
    take: (stream: 'stdout' | 'stderr', chunk: Buffer): void => tell(stream, decoders[stream].write(chunk)),
    end(): void {
      for (const stream of ['stdout', 'stderr'] as const) tell(stream, decoders[stream].end())
    },
  }
}
