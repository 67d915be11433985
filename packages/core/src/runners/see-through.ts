import { decomposeArgv, decomposeUnproven } from '../command/decompose.ts'
import { isTakenByPrograms } from '../command/exact/names.ts'
import type { CommandPart, CommandProblem, Decomposition, Inside } from '../command/model/decomposition.ts'
import { folderOf, startedIn } from '../command/part-folder.ts'
import { lowerCase } from '../command/programs/program-names.ts'
import type { BinFolder } from './reading/bin-folders.ts'
import { KnownResults } from './reading/known-results.ts'
import { otherShell } from './reading/other-shells.ts'
import { ProjectReader, type ReaderPorts } from './reading/project-reader.ts'
import { type Found, lineAt, type Run } from './reading/runner.ts'
import type { SeenThrough } from './reading/seen-through.ts'
import { runnerOf } from './runners.ts'

/** INVARIANT: L10, how far one call is followed. */
const LIMITS = { depth: 8, commands: 256 } as const

/** A command with what the files of the project make it run. */
export interface SeenCommand {
  /** The same parts, and after them the commands found in files, each with its origin. */
  readonly command: Decomposition
  readonly seen: SeenThrough
}

interface Places {
  readonly workspace: string
  readonly home: string
}

/** A part that is still to be followed. */
interface Task {
  readonly index: number
  readonly depth: number
  readonly bins: readonly BinFolder[]
  /** The places in files that lead to it, to stop at circles. */
  readonly above: readonly string[]
}

/** What the files of the project make the parts of a command run. */
interface Sight {
  /** The commands found in files. */
  readonly found: readonly CommandPart[]
  /** By the index of the part. */
  readonly inside: ReadonlyMap<number, Inside>
  readonly seen: SeenThrough
}

const KNOWN = new KnownResults<Sight>()

/**
 * Looks into the files that a command runs, and lists the commands inside as further parts. Null if it runs none. Never
 * throws; what can't be read or followed is opaque.
 */
export async function seeThrough(
  command: Decomposition,
  cwd: string,
  places: Places,
  ports: ReaderPorts,
  results = KNOWN,
): Promise<SeenCommand | null> {
  if (!command.parts.some((part) => runnerOf(part, []) !== null)) return null
  const key = JSON.stringify([command, cwd, places])
  const sight = await results.get(key, ports, (recorded) => new Walk(command, cwd, places, recorded).run())
  if (sight.inside.size === 0) return null
  // Others remember by part what they know for one call.
  const parts = [...command.parts, ...sight.found].map((part, index) => {
    const inside = sight.inside.get(index)
    return inside === undefined ? { ...part } : { ...part, inside }
  })
  return { command: { ...command, parts }, seen: sight.seen }
}

class Walk {
  readonly #parts: CommandPart[]
  readonly #inside = new Map<number, Inside>()
  readonly #tasks: Task[] = []
  readonly #command: Decomposition
  readonly #cwd: string
  readonly #home: string
  readonly #reader: ProjectReader
  #streams: number

  constructor(command: Decomposition, cwd: string, { workspace, home }: Places, ports: ReaderPorts) {
    this.#command = command
    this.#cwd = cwd
    this.#home = home
    this.#reader = new ProjectReader(ports, workspace, home)
    this.#parts = [...command.parts]
    this.#streams = lastStream(command.parts)
    for (const index of command.parts.keys()) this.#tasks.push({ index, depth: 0, bins: [], above: [] })
  }

  async run(): Promise<Sight> {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) await this.#follow(task)
    const { files, absent, folders } = this.#reader
    const seen = { files, absent, ...(folders.length === 0 ? {} : { folders }) }
    return { found: this.#parts.slice(this.#command.parts.length), inside: this.#inside, seen }
  }

  async #follow(task: Task): Promise<void> {
    const part = this.#parts[task.index]
    const runner = part === undefined ? null : runnerOf(part, task.bins)
    if (part === undefined || runner === null) return
    if (part.cwd === null) return this.#close(task, [], ['the folder it runs in is not known'])
    if (task.depth >= LIMITS.depth) return this.#close(task, [], ['it is nested too deeply'])
    const folder = folderOf(part.cwd, this.#cwd, this.#home)
    const program = lowerCase(part.program ?? '')
    const found = await runner({
      part,
      program,
      folder,
      reader: this.#reader,
      bins: task.bins,
      parts: task.depth === 0 ? this.#command.parts : [part],
    }).catch(() => 'failed')
    if (typeof found === 'string') return this.#close(task, [], ['the files it runs could not be read'])
    if (found === null) return
    const opaque = [...found.opaque]
    const runs: number[] = []
    for (const run of found.runs) this.#enter(run, part, task, runs, opaque)
    this.#close(task, runs, opaque, found)
  }

  #close(
    { index }: Task,
    runs: readonly number[],
    opaque: readonly string[],
    { program, held = [], settings, repository, listed, remotes, variables, alone, cached, exact }: Partial<Found> = {},
  ): void {
    this.#inside.set(index, {
      runs,
      opaque: [...new Set(opaque)],
      ...(held.length === 0 ? {} : { held: [...new Set(held)] }),
      ...(settings === undefined ? {} : { settings }),
      ...(program === undefined ? {} : { program }),
      ...(repository === undefined ? {} : { repository }),
      ...(listed === undefined ? {} : { listed }),
      ...(remotes === undefined ? {} : { remotes }),
      ...(variables === undefined ? {} : { variables }),
      ...(alone === undefined ? {} : { alone }),
      ...(cached === undefined ? {} : { cached }),
      ...(exact === undefined ? {} : { exact }),
    })
  }

  /** Adds the commands of one piece of code, and follows them in turn. */
  #enter(run: Run, outer: CommandPart, task: Task, runs: number[], opaque: string[]): void {
    const at = `${run.origin.file}:${run.origin.line}`
    const key = `${at} ${typeof run.code === 'string' ? run.code : run.code.join('\0')}`
    if (task.above.includes(key)) return void opaque.push(`\`${at}\` runs itself`)
    const { parts, problems, intricate } =
      typeof run.code === 'string' ? decomposeUnproven(run.code) : decomposeArgv(run.code)
    const shell = otherShell(run, parts)
    if (shell !== null) opaque.push(`\`${at}\` ${shell}`)
    for (const problem of problems) if (problem.kind !== 'odd-text') opaque.push(problemText(problem, run))
    const offset = this.#streams
    this.#streams += lastStream(parts)
    for (const inner of parts) {
      if (this.#parts.length - this.#command.parts.length >= LIMITS.commands)
        return void opaque.push('it runs more commands than are followed')
      // A program with a computed name is reported as a problem of the code.
      if (inner.program === null) opaque.push(`\`${placeOf(run, inner)}\` runs a program whose name is computed`)
      if (inner.program === null || isNothing(inner)) continue
      const index = this.#parts.length
      const part = placed(inner, outer, run, offset)
      this.#parts.push(intricate === true ? { ...part, intricate } : part)
      runs.push(index)
      // Folders that a script within a script adds come first.
      const bins = [...(run.bins ?? []), ...task.bins]
      this.#tasks.push({ index, depth: task.depth + 1, bins, above: [...task.above, key] })
    }
  }
}

/** A part of the code as a part of the whole command: in its folder, with its line, and with streams of its own. */
function placed(inner: CommandPart, outer: CommandPart, run: Run, offset: number): CommandPart {
  const { flow } = inner
  const moved = (stream: number) => (stream === 0 ? 0 : stream > 0 ? stream + offset : stream - offset)
  const line = typeof run.code === 'string' ? run.origin.line + lineAt(run.code, inner.span.start) - 1 : run.origin.line
  return {
    ...inner,
    args: inner.args.map(({ at: _, ...word }) => word),
    redirections: inner.redirections.map(({ span: _, ...one }) => one),
    text: run.text ?? inner.text,
    cwd: run.cwd === null || run.cwd === '' ? (run.cwd === null ? null : inner.cwd) : startedIn(run.cwd, inner.cwd),
    via: [...outer.via, `${run.origin.file}:${line}`, ...inner.via],
    origin: { file: run.origin.file, line },
    span: outer.span,
    ...(flow === undefined
      ? {}
      : { flow: { input: moved(flow.input), output: moved(flow.output), words: moved(flow.words) } }),
  }
}

/** Only sets variables of the script, which change no program. */
function isNothing({ program, redirections, assignments }: CommandPart): boolean {
  return program === '' && redirections.length === 0 && !assignments.some(({ name }) => isTakenByPrograms(name))
}

function placeOf({ code, origin }: Run, { span }: CommandPart): string {
  const line = typeof code === 'string' ? origin.line + lineAt(code, span.start) - 1 : origin.line
  return `${origin.file}:${line}`
}

function problemText(problem: CommandProblem, { code, origin }: Run): string {
  const line = typeof code === 'string' && problem.span ? lineAt(code, problem.span.start) - 1 : 0
  const place = `\`${origin.file}:${origin.line + line}\``
  switch (problem.kind) {
    case 'syntax':
      return `${place} can’t be parsed`
    case 'too-long':
    case 'too-many':
      return `${place} is too long to analyze`
    case 'too-deep':
      return `${place} is nested too deeply to analyze`
    case 'dynamic':
    case 'evaluated':
    case 'odd-characters':
    case 'odd-text':
      return `${place} is computed while it runs`
  }
}

function lastStream(parts: readonly CommandPart[]): number {
  let last = 0
  for (const { flow } of parts)
    if (flow !== undefined) last = Math.max(last, Math.abs(flow.input), Math.abs(flow.output), Math.abs(flow.words))
  return last
}
