import { existsSync } from 'node:fs'
import { type SafeText, safeText } from '@countersign/core'
import { type AgentState, agentStates, stateWords } from '@countersign/hosts'
import { rulesPath, type ServiceStatus } from '@countersign/node'
import { timeText } from '@countersign/terminal/card'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { withDesk } from '../decision/desk.ts'
import { pausedWords } from '../decision/say-paused.ts'
import { askService, existingHome } from '../home/existing-home.ts'
import { EXIT } from '../terminal/exit-codes.ts'
import { type Io, print, printJson, say } from '../terminal/io.ts'
import { dataColumns, layTable } from '../terminal/layout.ts'

/** `countersign status`: shows whether the service is running, and where. */
export const command: Subcommand = {
  name: 'status',
  summary: 'show whether the service is running, and where',
  define(command, io) {
    addExamples(command, [
      ['countersign status', 'addresses and current state'],
      ['countersign status --json', 'as JSON; exits with 1 if it is not running'],
    ])
    command.action(() => show(io))
  },
}

async function show(io: Io): Promise<void> {
  const answer = await askService(io, { do: 'status' })
  const status = answer !== undefined && 'status' in answer ? answer.status : null
  const problem = status?.problem ?? null
  if (status === null || problem !== null) io.exit(EXIT.failed.code)
  const paused = existsSync(rulesPath(existingHome(io))) ? await withDesk(io, pausedWords) : null
  const agents = agentStates(existingHome(io))
  if (io.json) return printJson(io, status === null ? null : { ...status, paused, agents })
  if (paused !== null) say(io, paused)
  if (problem !== null) say(io, `calls are refused: ${safeText(problem)}`)
  if (status === null) say(io, 'the service is not running (it is optional); start it with `countersign serve`')
  const rows = [...(status === null ? [] : rowsOf(status)), ...agents.map(agentRow)]
  for (const line of layTable(rows, dataColumns(io))) print(io, line)
}

function agentRow(agent: AgentState): readonly SafeText[] {
  return ['hooks', stateWords(agent, agent.at === null ? null : timeText(agent.at))].map(safeText)
}

function rowsOf(status: ServiceStatus): readonly (readonly SafeText[])[] {
  const {
    url,
    publicUrl,
    socket,
    askingPort,
    pagePort,
    metricsPort,
    pid,
    startedAt,
    version,
    held,
    askers,
    workspaces,
    streams,
  } = status
  const rows: readonly (readonly [string, string])[] = [
    ['inbox', url],
    ...(publicUrl === null ? [] : [['public URL', publicUrl] as const]),
    ['agents', socket],
    ...(metricsPort == null ? [] : [['metrics', `http://127.0.0.1:${metricsPort}/metrics`] as const]),
    ...(pagePort === null ? [] : [['pages', `http://localhost:${pagePort}, with a token`] as const]),
    ...(askingPort === null ? [] : [['agents', `127.0.0.1:${askingPort}, with a token`] as const]),
    ['since', `${timeText(startedAt)}, process ${pid}, version ${version}`],
    ['now', `${held ?? '?'} held, ${askers} agents in ${workspaces} workspaces, ${streams} open pages`],
  ]
  return rows.map((row) => row.map(safeText))
}
