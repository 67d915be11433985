import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { isExecutable } from '@countersign/node'
import { AGENTS, type Agent } from './hosts/agents.ts'

/** Where to look for agents. */
export interface Machine {
  /** The account's home folder, not `HOME`. */
  readonly accountHome: string
  readonly project: string
  readonly platform: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A coding agent that was found. */
export interface FoundAgent {
  readonly agent: Agent
  /** Its program; null if only its folder was found. */
  readonly program: string | null
  /** As its program prints it; null if unknown. */
  readonly version: string | null
  /** Whether this project has settings of it. */
  readonly inProject: boolean
}

const PATIENCE_MS = 5_000
const MOST_BYTES = 4_096

/** The agents of this machine and this project. Runs the programs of proven agents with `--version`, and nothing else. */
export async function detectAgents(machine: Machine): Promise<readonly FoundAgent[]> {
  const found = await Promise.all(AGENTS.map((agent) => detect(agent, machine)))
  return found.filter((one) => one !== null)
}

async function detect(agent: Agent, machine: Machine): Promise<FoundAgent | null> {
  const { accountHome, project } = machine
  const program = findProgram(agent, machine)
  const inProject = agent.project.some((name) => existsSync(join(project, name)))
  if (program === null && !inProject && !agent.folders.some((name) => existsSync(join(accountHome, name)))) return null
  const version = program === null || agent.evidence !== 'proven' ? null : await versionOf(program, machine)
  return { agent, program, version, inProject }
}

/**
 * SECURITY: A1 a relative folder on the `PATH`, or a project's own programs, may come with a repository: the search stops before
 * them.
 */
function findProgram({ programs, places }: Agent, { accountHome, project, env }: Machine): string | null {
  const onPath = (env['PATH'] ?? '').split(delimiter)
  const relative = onPath.findIndex((folder) => !isAbsolute(folder))
  const folders = (relative === -1 ? onPath : onPath.slice(0, relative)).filter(
    (folder) => !folder.endsWith('/node_modules/.bin') && !`${folder}/`.startsWith(`${project}/`),
  )
  const candidates = [
    ...programs.flatMap((name) => folders.map((folder) => join(folder, name))),
    ...places.map((place) => join(accountHome, place)),
  ]
  return candidates.find(isExecutable) ?? null
}

/** The version that a program prints; null if it fails, hangs or prints something else. */
function versionOf(program: string, { env, accountHome }: Machine): Promise<string | null> {
  return new Promise((resolve) => {
    const child = spawn(program, ['--version'], {
      cwd: accountHome,
      env: { ...env, DISABLE_AUTOUPDATER: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', COPILOT_AUTO_UPDATE: 'false' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed = (printed + text).slice(0, MOST_BYTES)
    })
    // A program that left its output open to another process has ended all the same.
    child.on('exit', () => setImmediate(() => resolve(/\d+\.\d+\.\d+/.exec(printed)?.[0] ?? null)))
    child.on('error', () => resolve(null))
  })
}
