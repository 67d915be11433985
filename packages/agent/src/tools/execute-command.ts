import { StringDecoder } from 'node:string_decoder'
import { runCommand } from '@countersign/node'
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
  description: `Runs a command line with bash and waits for it. No terminal and no input. Background processes are stopped when it ends. Stopped after ${USUAL_MS / 1000} s unless timeout_ms is set. Long output is shortened in the middle.`,
  input: z.strictObject({
    command: z.string().min(1),
    cwd: z.string().min(1).optional().describe('The folder to run in; default: the workspace.'),
    timeout_ms: z.int().min(1).max(MAX_MS).optional(),
  }),
  async run({ command, cwd = '.', timeout_ms: timeoutMs = USUAL_MS }, run) {
    const output = keepOutput(MAX_CHARACTERS)
    const stream = streaming(run, (text) => output.add(text))
    const ended = await runCommand(
      { command },
      {
        cwd: toolPath(cwd, run.workspace),
        stdio: 'pipe',
        env: { ...withoutModelKeys(process.env), COUNTERSIGN_INSIDE: run.callId ?? 'agent' },
        onOutput: stream.take,
        signal: run.signal,
        timeoutMs,
        endLeftBehind: true,
      },
    )
    stream.end()
    const said = output.text()
    if (ended.how === 'not-started') throw toolFailure(ended.problem ?? 'the command did not start')
    if (ended.how === 'aborted') throw toolFailure(withOutput('the command was stopped', said))
    if (ended.how === 'timed-out')
      throw toolFailure(withOutput(`the command was ended: it took longer than ${timeoutMs} ms`, said))
    const left = leftWords(ended.leftBehind)
    if (ended.exitCode !== 0) return withOutput(`exit code ${ended.exitCode}${left}`, said)
    if (said === '') return `it ended with exit code 0 and no output${left}`
    return left === '' ? said : withOutput(`it ended with exit code 0${left}`, said)
  },
})

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
