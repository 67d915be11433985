import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Files, HostDriver } from '../drivers/host-driver.ts'
import { openStandInModel, type StandInModel } from '../model/stand-in-model.ts'
import type { NextTurn, Script, ToolResult } from '../model/turn.ts'
import { endProcesses, RUN_MARK } from './process-tree.ts'

/** A program and its first arguments. */
export type ProgramCommand = readonly [string, ...string[]]

export interface RunSetup {
  readonly command: ProgramCommand
  /** A private home and a project folder; both exist. */
  readonly home: string
  readonly project: string
  /** What the main conversation's model answers. */
  readonly turns: readonly NextTurn[]
  /** What the model answers in conversations of sub-agents. */
  readonly others?: readonly Script[]
  readonly prompt?: string
  /** Configuration files, by `~/` or project path. */
  readonly files?: Files
  /** Runs after the files are written and before the host starts. */
  readonly prepare?: () => void | Promise<void>
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Ends the host as soon as this is true. */
  readonly endWhen?: () => boolean
}

export interface HostRun {
  readonly exitCode: number | null
  /** `lingered`: it received the last answer but did not exit in time. `ended`: by `endWhen`. */
  readonly ended: 'exited' | 'lingered' | 'timed out' | 'ended'
  readonly output: string
  readonly toolResults: readonly ToolResult[]
  readonly markerExists: boolean
  /** How often the marked command ran. */
  readonly markerRuns: number
  /** A file of the project after the run. */
  readProject(path: string): string | undefined
  readonly model: Omit<StandInModel, 'close'>
}

export interface RunningHost {
  readonly pid: number | undefined
  /** Marks the processes of this run. */
  readonly mark: string
  readonly model: StandInModel
  /** Sends a signal to the host alone, as a terminal or a person would. */
  signal(name: NodeJS.Signals): void
  readonly finished: Promise<HostRun>
}

/** A harmless command whose every run leaves a line. */
export const MARKER = 'marker'
export const MARKED_COMMAND = `echo ran >> ${MARKER}`

const STUCK_MS = 180_000
/** The time a host has to exit after the model's last answer. */
const LINGER_MS = 60_000

/** Starts a host headless: private home, its own environment, and no way out of loopback. */
export async function startProgram(driver: HostDriver, setup: RunSetup): Promise<RunningHost> {
  const model = await openStandInModel(setup.turns, setup.others)
  const start = driver.start(model.origin, setup.prompt ?? 'Follow the plan.')
  try {
    writeFiles(setup, { ...start.files, ...setup.files })
    await setup.prepare?.()
  } catch (error) {
    await model.close()
    throw error
  }
  const mark = randomUUID()
  const [program, ...first] = setup.command
  const child = spawn(program, [...first, ...start.args, ...(setup.args ?? [])], {
    cwd: setup.project,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...baseEnvironment(setup, model.origin), [RUN_MARK]: mark, ...start.env, ...setup.env },
  })
  const chunks: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  const exit = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', resolve)
  })

  const finish = async (): Promise<HostRun> => {
    try {
      const ended = await waitForEnd(exit, model, setup)
      endProcesses(child.pid, mark)
      const exitCode = await exit
      const readProject = (path: string) => readIfThere(join(setup.project, path))
      const marker = readProject(MARKER)
      return {
        exitCode,
        ended,
        output: Buffer.concat(chunks).toString('utf8'),
        toolResults: model.toolResults,
        markerExists: marker !== undefined,
        markerRuns: (marker ?? '').split('\n').length - 1,
        readProject,
        model,
      }
    } finally {
      endProcesses(child.pid, mark)
      await model.close()
    }
  }
  return { pid: child.pid, mark, model, signal: (name) => void child.kill(name), finished: finish() }
}

/** Runs a host to its end. */
export async function runProgram(driver: HostDriver, setup: RunSetup): Promise<HostRun> {
  return (await startProgram(driver, setup)).finished
}

async function waitForEnd(
  exit: Promise<unknown>,
  model: StandInModel,
  { timeoutMs = STUCK_MS, endWhen = () => false }: RunSetup,
): Promise<HostRun['ended']> {
  const start = performance.now()
  let finishedAt: number | undefined
  for (;;) {
    const exited = await Promise.race([exit.then(() => true), pause(50, false)])
    if (exited) return 'exited'
    if (endWhen()) return 'ended'
    const now = performance.now()
    if (model.isFinished) finishedAt ??= now
    if (finishedAt !== undefined && now - finishedAt > LINGER_MS) return 'lingered'
    if (now - start > timeoutMs) return 'timed out'
  }
}

function baseEnvironment({ home }: RunSetup, proxy: string): Readonly<Record<string, string>> {
  const temporary = join(home, 'tmp')
  mkdirSync(temporary, { recursive: true })
  return {
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
  }
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function writeFiles({ home, project }: RunSetup, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    const at = path.startsWith('~/') ? join(home, path.slice(2)) : join(project, path)
    mkdirSync(dirname(at), { recursive: true })
    writeFileSync(at, text)
  }
}
