import { resolve } from 'node:path'
import { formatExplanation, formatProblem, safeText } from '@countersign/core'
import { openGate } from '@countersign/node'
import type { Command } from 'commander'
import { addExamples } from '../arguments/help-examples.ts'
import { existingHome } from '../home/existing-home.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, hangText } from '../terminal/layout.ts'
import { type AskedCallFlags, askedCall, readAsked, takeAskedCall } from './asked-call.ts'

interface ExplainFlags extends AskedCallFlags {
  readonly cwd?: string
}

export function defineExplain(command: Command, io: Io): void {
  addExamples(command, [
    ['countersign policy explain -- git push --force', 'a command, as for `exec`'],
    ["countersign policy explain 'git status && rm -rf build'", 'a command line'],
    [`countersign policy explain write_file --args '{"path":".env"}'`, 'a tool with its arguments'],
    ['countersign policy explain query --server postgres', 'a tool of an MCP server'],
  ])
  takeAskedCall(command).action((_tool: unknown, _words: unknown, flags: ExplainFlags) => explain(command, flags, io))
}

/** Judges a call as the gate would, without recording or asking. */
async function explain(command: Command, flags: ExplainFlags, io: Io): Promise<void> {
  const asked = readAsked(command, flags, io)
  const workspace = resolve(io.cwd, flags.cwd ?? '.')
  const { gate, ports } = await openGate({ home: existingHome(io).dir, workspace, observer: true, session: 'none' })
  try {
    const call = await askedCall(asked, workspace, ports.targets)
    const agent = flags.agent === undefined ? {} : { agent: { name: flags.agent } }
    const explanation = await gate.explain({ ...call, ...agent })
    const problems = await gate.policyProblems()
    if (io.json) return printJson(io, { ...explanation, problems })
    for (const line of formatExplanation(explanation))
      for (const row of hangText(safeText(line), dataColumns(io), 4 + line.search(/\S/))) print(io, row)
    for (const problem of problems) say(io, `policy error: ${safeText(formatProblem(problem))}`)
  } finally {
    await gate.close()
  }
}
