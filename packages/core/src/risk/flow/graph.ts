import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import type { RecipeRow } from '../../knowledge/commands.ts'
import { DATA_FLOW } from '../../knowledge/compiled/commands.ts'
import type { WordSet } from '../../knowledge/words.ts'
import { isInside } from '../path/category.ts'
import type { LocatedPath } from '../path/located-path.ts'
import { isRecipeFile } from './recipe-files.ts'
import { isFedWords, isSink } from './sinks.ts'
import { isDownload } from './sources.ts'
import { FLOW, type FlowPart } from './taint.ts'

/** A stream may come from a later part, so the walk repeats. Longer chains are rare. */
const PASSES = 3
const VARIABLE = /\$\{?([A-Za-z_]\w{0,63})/g
const CARRIES = FLOW.fetched | FLOW.decoded | FLOW.secret | FLOW.token | FLOW.names
const FOLDERS = FLOW.unpacked | FLOW.linked

/** The data flow between the parts: through pipes, substitutions, variables and files. */
export class FlowGraph {
  readonly #parts: readonly FlowPart[]
  readonly #own: readonly number[]
  readonly #streams = new Map<number, number>()
  #vars = new Map<string, number>()
  #written = new Map<string, number>()
  readonly #words: number[] = []
  readonly #files: number[] = []
  readonly #scripts: number[] = []

  constructor(parts: readonly FlowPart[], own: readonly number[]) {
    this.#parts = parts
    this.#own = own
    for (let pass = 0; pass < PASSES; pass++) {
      const before = this.#sum()
      if (pass > 0) {
        this.#vars = new Map()
        this.#written = new Map()
      }
      for (let index = 0; index < parts.length; index++) this.#step(index)
      if (this.#sum() === before) break
    }
  }

  /** The taint that a part adds itself. */
  own(index: number): number {
    return this.#own[index] ?? 0
  }

  /** The taint of its standard input. */
  input(index: number): number {
    return this.#stream(this.#parts[index]?.part.flow?.input ?? 0)
  }

  /** The taint of the substitutions and variables in its words. */
  words(index: number): number {
    return this.#words[index] ?? 0
  }

  /** The taint of the files that it reads and that the command wrote before. */
  files(index: number): number {
    return this.#files[index] ?? 0
  }

  /** The taint of the file that it runs. */
  script(index: number, paths: readonly LocatedPath[]): number {
    return (this.#scripts[index] ?? 0) | (paths.length === 0 ? 0 : this.files(index))
  }

  #sum(): number {
    let sum = 0
    for (const bits of this.#streams.values()) sum += bits
    return sum
  }

  #stream(id: number): number {
    return id === 0 ? 0 : (this.#streams.get(id) ?? 0)
  }

  #step(index: number): void {
    const one = this.#parts[index]
    if (one === undefined) return
    const { part, paths } = one
    const words = this.#stream(part.flow?.words ?? 0) | this.#variables(part)
    let files = 0
    let scripts = 0
    for (const path of paths) {
      if (path.at === null || path.use === 'write') continue
      const bits = this.#file(path.at)
      if (path.use === 'execute') scripts |= bits
      else files |= bits
    }
    if (part.program === 'source' || part.program === '.') scripts |= files
    if (this.#written.size > 0 && isSink(part)) files |= this.#named(part)
    this.#words[index] = words
    this.#files[index] = files
    this.#scripts[index] = scripts
    this.#carry(one, index, (this.#own[index] ?? 0) | this.input(index) | words | files)
  }

  #carry({ part, paths }: FlowPart, index: number, all: number): void {
    const name = lowerCase(part.program ?? '')
    const fed = isFedWords(part) && (all & FLOW.names) !== 0 ? FLOW.secret : 0
    const own = this.#own[index] ?? 0
    const carried = DATA_FLOW.reducers.has(name) ? own : (all & CARRIES) | fed | (own & FLOW.linked)
    const { output, words } = part.flow ?? { output: 0, words: 0 }
    if (carried !== 0 && output !== 0) this.#streams.set(output, this.#stream(output) | carried)
    if (carried !== 0 && words !== 0) this.#streams.set(-words, this.#stream(-words) | carried)
    if (part.assignments.length > 0 && (name === '' || DATA_FLOW.declarations.has(name)))
      for (const assignment of part.assignments) this.#assign(assignment.name, this.words(index))
    if (name === 'read' || name === 'mapfile')
      for (const { value } of part.args) if (value !== null) this.#assign(value, carried)
    this.#write(part, paths, name, carried)
  }

  #assign(name: string, bits: number): void {
    if (bits !== 0) this.#vars.set(name, bits)
  }

  #variables(part: CommandPart): number {
    if (this.#vars.size === 0) return 0
    let bits = 0
    for (const { value, text } of part.args) if (value === null) bits |= this.variables(text)
    return part.program === null ? bits | this.variables(part.text) : bits
  }

  #write(part: CommandPart, paths: readonly LocatedPath[], name: string, carried: number): void {
    const redirects = part.redirections.length > 0
    for (const path of paths) {
      if (path.use !== 'write' || path.at === null || (path.soft && (carried & (FLOW.linked | FLOW.fetched)) === 0))
        continue
      const puts =
        DATA_FLOW.fileWriters.has(name) || (redirects && part.redirections.some(({ target }) => target === path.given))
      const unpacks = DATA_FLOW.archiveUnpackers.has(name) ? (carried & FLOW.fetched) !== 0 : name === 'gh' && path.soft
      const bits = carried | (puts ? FLOW.written : 0) | (unpacks ? FLOW.unpacked : 0)
      if (bits !== 0) this.#written.set(path.at, bits)
    }
    if (isDownload(name, part) || name === 'git' || name === 'gh') this.#download(part, paths, name)
  }

  /** Marks files and folders that a download creates without naming their path. */
  #download(part: CommandPart, paths: readonly LocatedPath[], name: string): void {
    const values = part.args.map(({ value }) => value ?? '')
    if (name === 'git' || name === 'gh') {
      const at = values.indexOf('clone')
      const plain = values.filter(
        (value, index) =>
          index > at &&
          value !== '' &&
          !value.startsWith('-') &&
          !DATA_FLOW.gitCloneOptions.has(values[index - 1] ?? ''),
      )
      const folder = plain[1] ?? lastName(plain[0] ?? '').replace(/\.git$/, '')
      if (at !== -1 && folder !== '') this.#relative(part, folder, FLOW.fetched | FLOW.unpacked)
      return
    }
    const out = values.findIndex((value) => value === '-o' || value === '--out' || value === '-O')
    if (out !== -1 && values[out + 1] !== undefined) this.#relative(part, values[out + 1] ?? '', FLOW.fetched)
    if (name !== 'scp' && name !== 'rsync') return
    const target = paths.find((path) => path.use === 'write')?.at
    const files = values.slice(0, -1).filter((value) => value.includes(':'))
    for (const file of files) if (target != null) this.#written.set(`${target}/${lastName(file)}`, FLOW.fetched)
  }

  /** The taint of files that a sender names in its own syntax: `-T k`, `-d @k`, `-F x=@k`. */
  #named(part: CommandPart): number {
    let bits = 0
    for (const { value } of part.args) {
      const name = value === null ? null : (/^(?:[\w.-]{0,64}=)?@?([\w./~][\w./-]{0,255})$/.exec(value)?.[1] ?? null)
      if (name === null) continue
      const tail = name.startsWith('/') ? name : `/${name.replace(/^[.~]\//, '')}`
      for (const [path, carried] of this.#written) if (path.endsWith(tail)) bits |= carried
    }
    return bits
  }

  /** The taint of recipe files that the command wrote, and of files that the part names. */
  recipe(index: number, row: RecipeRow): number {
    let bits = 0
    for (const [path, carried] of this.#written) if (isRecipeFile(row, lastName(path).toLowerCase())) bits |= carried
    const part = this.#parts[index]?.part
    return part === undefined || this.#written.size === 0 ? bits : bits | this.#named(part)
  }

  /** Whether a part runs in a folder whose contents came from the network. */
  isInDownload(part: CommandPart): boolean {
    const folders = foldersOf(part)
    if (folders.length === 0) return false
    for (const [path, bits] of this.#written) {
      if ((bits & FLOW.unpacked) === 0 || !path.startsWith('\0')) continue
      if (folders.some((folder) => isInside(folder, path.slice(1)))) return true
    }
    return false
  }

  /** The taint of the variables in a text. */
  variables(text: string): number {
    let bits = 0
    if (this.#vars.size > 0) for (const [, name] of text.matchAll(VARIABLE)) bits |= this.#vars.get(name ?? '') ?? 0
    return bits
  }

  /** Whether the output of a part goes straight to one of these programs. */
  feeds(index: number, programs: WordSet): boolean {
    const output = this.#parts[index]?.part.flow?.output ?? 0
    return (
      output !== 0 && this.#parts.some(({ part }) => part.flow?.input === output && programs.has(part.program ?? ''))
    )
  }

  /** Stores a path by its spelling, relative to the part's folder. */
  #relative(part: CommandPart, path: string, bits: number): void {
    const cwd = part.cwd ?? '?'
    this.#written.set(
      path.startsWith('/') ? path : `\0${cwd === '' ? '' : `${cwd}/`}${path.replace(/^\.\//, '')}`,
      bits,
    )
  }

  #file(at: string): number {
    const exact = this.#written.get(at)
    if (exact !== undefined) return exact
    for (const [path, bits] of this.#written) {
      if (path.startsWith('\0')) {
        const tail = `/${path.slice(1)}`
        if (at.endsWith(tail) || ((bits & FLOW.unpacked) !== 0 && at.includes(`${tail}/`))) return bits
      } else if ((bits & FOLDERS) !== 0 && isInside(at, path)) return bits
    }
    return 0
  }
}

/** The folders that a part works in: the current one, and those that its options name. */
function foldersOf({ cwd, args }: CommandPart): readonly string[] {
  const folders = cwd === null || cwd === '' ? [] : [cwd]
  for (let at = 0; at < args.length && folders.length < 16; at++) {
    const value = args[at]?.value ?? ''
    const told = DATA_FLOW.directoryOptions.has(args[at - 1]?.value ?? '') || value.startsWith('./')
    const plain = value.replace(/^\.\//, '').replace(/\/+$/, '')
    if (told && plain !== '') folders.push(cwd === null || cwd === '' ? plain : `${cwd}/${plain}`)
  }
  return folders
}

function lastName(path: string): string {
  const trimmed = path.replace(/\/+$/, '')
  return trimmed.slice(Math.max(trimmed.lastIndexOf('/'), trimmed.lastIndexOf(':')) + 1)
}
