import type { Origin } from '../../command/model/decomposition.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { placeIn } from '../reading/runner.ts'
import { closing, MakeVariables } from './make-variables.ts'

/** A recipe line, and where it is written. */
export interface RecipeLine {
  readonly text: string
  readonly origin: Origin
}

export interface MakeRule {
  readonly target: string
  readonly needs: readonly string[]
  readonly lines: readonly RecipeLine[]
}

/** What a makefile says, over all branches of its conditions. */
export interface Makefile {
  readonly variables: MakeVariables
  readonly rules: MakeRule[]
  /** Commands that run while the file is read. */
  readonly atOnce: RecipeLine[]
  readonly opaque: string[]
  /** The makefiles, as they are named: make builds each of them first if it has a rule for it. */
  readonly names: string[]
  /** The targets that may be the default goal: the first one, and those before it that are in conditions. */
  readonly goals: string[]
}

const MAX_INCLUDES = 16
const MODIFIERS = /^((?:(?:export|unexport|override|private)\s+)*)(.*)$/
const ASSIGNMENT = /^\s*([\w.%-]+)\s*(\?|\+|!|:{1,3})?=\s?(.*)$/
const INCLUDE = /^\s*(-include|sinclude|include)\s+(.*)$/
const RULE = /^([^\t#=:][^=:]*?)\s*(&?::?)(?!=)\s*(.*)$/
/** Lines that only print while the file is read. */
const PRINTS = /^\s*\$\((?:info|warning)\s[^$()]*\)\s*$/
/** Special targets that leave alone how recipes are read. */
const PLAIN_SPECIAL =
  /^\.(?:PHONY|SILENT|IGNORE|PRECIOUS|SUFFIXES|INTERMEDIATE|NOTINTERMEDIATE|SECONDARY|DELETE_ON_ERROR|NOTPARALLEL|POSIX|DEFAULT)$/

/** Reads a makefile and what it includes. `given` are the variables of the command line. */
export async function readMakefile(
  file: ProjectFile,
  name: string,
  place: { readonly folder: string; readonly reader: ProjectReader; readonly given: ReadonlyMap<string, string> },
): Promise<Makefile> {
  const made: Makefile = {
    variables: new MakeVariables(place.given),
    rules: [],
    atOnce: [],
    opaque: [],
    names: [name],
    goals: [],
  }
  await new Parser(made, place.folder, place.reader).parse(file)
  made.opaque.push(...made.variables.opaque)
  return made
}

/**
 * Reads makefiles from top to bottom, each included one where it is named. INVARIANT: L3, a line that is not understood is
 * opaque.
 */
class Parser {
  readonly #made: Makefile
  readonly #folder: string
  readonly #reader: ProjectReader
  /** The lines of the rule that tabs now add to; null outside a rule. */
  #recipe: readonly RecipeLine[][] | null = null
  #conditions = 0
  #hasGoal = false

  constructor(made: Makefile, folder: string, reader: ProjectReader) {
    this.#made = made
    this.#folder = folder
    this.#reader = reader
  }

  async parse(file: ProjectFile): Promise<void> {
    if (file.text.includes('\r')) this.#made.opaque.push(`\`${file.shown}\` has Windows line endings`)
    const lines = file.text.split('\n')
    this.#endRule()
    for (let at = 0; at < lines.length; at++) {
      const origin = placeIn(file, at + 1)
      const raw = [lines[at] ?? '']
      while (/(?:^|[^\\])(?:\\\\)*\\$/.test(raw.at(-1) ?? '') && at + 1 < lines.length) raw.push(lines[++at] ?? '')
      const joined = raw.map((one, index) => (index === 0 ? one : one.trimStart()).replace(/\\$/, '')).join(' ')
      this.#readCalls(joined, origin)
      if (/^\s*(?:(?:override|export)\s+)*define\b/.test(joined)) {
        at = this.#define(lines, at, joined, file)
        continue
      }
      if (joined.startsWith('\t') && this.#recipe !== null) {
        // The shell gets continued lines as they are, but for their tabs.
        const text = raw.map((one) => one.replace(/^\t/, '')).join('\n')
        for (const recipe of this.#recipe) recipe.push({ text, origin })
        continue
      }
      const plain = withoutComment(joined)
      if (plain === null) this.#odd(origin)
      else if (plain.trim() !== '') await this.#line(plain, origin)
    }
  }

  #endRule(): void {
    this.#recipe = null
  }

  async #line(text: string, origin: Origin): Promise<void> {
    const condition = /^\s*(ifeq|ifneq|ifdef|ifndef|else|endif)\b/.exec(text)?.[1]
    if (condition !== undefined) {
      this.#conditions += condition === 'endif' ? -1 : condition === 'else' ? 0 : 1
      return
    }
    const include = INCLUDE.exec(text)
    if (include !== null) {
      for (const name of splitWords(include[2] ?? '')) await this.#include(name, include[1] !== 'include', origin)
      this.#endRule()
      return
    }
    const [, modifiers = '', rest = ''] = MODIFIERS.exec(text.trim()) ?? []
    if (this.#assign(rest, modifiers, origin, false)) this.#endRule()
    else if (modifiers !== '') this.#exports(modifiers, rest)
    else if (/^\s*(?:export|unexport)\s*$/.test(text)) this.#made.opaque.push('the makefile exports every variable')
    else if (/^\s*undefine\s/.test(text)) for (const name of splitWords(text).slice(1)) this.#made.variables.doubt(name)
    else if (/^\s*vpath\b/.test(text)) this.#made.opaque.push('the makefile finds files in other folders')
    else if (!PRINTS.test(text)) this.#rule(text, origin)
  }

  /** `NAME = value`, for everything or for one target. */
  #assign(text: string, modifiers: string, origin: Origin, isForTarget: boolean): boolean {
    const found = ASSIGNMENT.exec(text)
    if (found === null) return false
    const [, name = '', how = '', value = ''] = found
    const { variables, atOnce } = this.#made
    if (how === '!') atOnce.push({ text: variables.expand(value), origin })
    if (/\bexport\b/.test(modifiers)) variables.exported(name)
    const isPartial = isForTarget || this.#conditions > 0 || /override|private/.test(modifiers)
    variables.assign({ name, how: how.startsWith(':') ? ':' : how, value, isPartial })
    return true
  }

  #exports(modifiers: string, rest: string): void {
    this.#endRule()
    if (/^unexport\s/.test(modifiers)) return
    for (const name of splitWords(this.#made.variables.expand(rest))) this.#made.variables.exported(name)
  }

  #rule(text: string, origin: Origin): void {
    const { variables, rules, goals, opaque } = this.#made
    const [, heads = '', , rest = ''] = RULE.exec(text) ?? []
    const [, modifiers = '', own = ''] = MODIFIERS.exec(rest) ?? []
    const [given = '', ...inline] = rest.split(';')
    let isUnknown = false
    const expand = (one: string) => variables.expand(one, () => (isUnknown = true))
    const targets = splitWords(expand(heads))
    this.#endRule()
    if (heads !== '' && this.#assign(own, modifiers, origin, true)) return
    // A static pattern rule has its pattern before a second colon.
    const [above, below] = given.split(':')
    const needs = splitWords(expand((below ?? above ?? '').replace('|', ' ')))
    const words = [...targets, ...needs]
    const isOdd = words.some((word) => /[\\;=:#|$*?[\]~]/.test(word)) || given.split(':').length > 2
    if (isUnknown || isOdd || targets.length === 0 || text.includes('\\')) this.#odd(origin)
    const recipes: RecipeLine[][] = []
    for (const target of targets) {
      if (/^\.[A-Z_]+$/.test(target) && !PLAIN_SPECIAL.test(target)) opaque.push(`the makefile uses \`${target}\``)
      const lines: RecipeLine[] = inline.length === 0 ? [] : [{ text: inline.join(';').trim(), origin }]
      rules.push({ target, needs, lines })
      recipes.push(lines)
      if (this.#hasGoal || target.includes('%') || (target.startsWith('.') && !target.includes('/'))) continue
      goals.push(target)
      this.#hasGoal = this.#conditions === 0
    }
    this.#recipe = recipes.length === 0 ? null : recipes
  }

  async #include(name: string, isOptional: boolean, origin: Origin): Promise<void> {
    const { variables, names, opaque } = this.#made
    const path = variables.expand(name)
    names.push(path)
    if (names.length > MAX_INCLUDES) return void opaque.push(`\`${origin.file}\` includes too many files`)
    const reading = /[\\$*?[~\s]/.test(path) ? null : await this.#reader.read(path, this.#folder)
    if (reading === null) opaque.push(`\`${origin.file}\` includes files with computed names`)
    else if (reading.kind === 'file') await this.parse(reading)
    else if (reading.kind === 'opaque') opaque.push(reading.why)
    else if (!isOptional) opaque.push(`\`${path.slice(0, 80)}\` does not exist`)
  }

  /** Skips a `define`; returns its last line. */
  #define(lines: readonly string[], from: number, text: string, file: ProjectFile): number {
    const { variables } = this.#made
    const [, modifiers = '', rest = ''] = MODIFIERS.exec(text.trim()) ?? []
    const name = splitWords(rest)[1] ?? ''
    this.#endRule()
    if (/\bexport\b/.test(modifiers)) variables.exported(name)
    if (/^[\w.-]+$/.test(name)) variables.doubt(name)
    else this.#odd(placeIn(file, from + 1))
    let depth = 1
    let at = from
    while (depth > 0 && at + 1 < lines.length) {
      const line = lines[++at] ?? ''
      this.#readCalls(line, placeIn(file, at + 1))
      if (/^\s*define\b/.test(line)) depth++
      else if (/^\s*endef\b/.test(line)) depth--
    }
    return at
  }

  /** What runs while the file is read, wherever it is written. */
  #readCalls(text: string, origin: Origin): void {
    for (const command of shellCalls(text)) this.#made.atOnce.push({ text: command, origin })
    // `$(call shell,…)` and `$($(name) …)` can call any function.
    if (
      /\$[({]\s*(?:eval|guile|file)\b|\$[({]\s*call\s+(?:\$|\w*(?:shell|eval|file)\b)/.test(text) ||
      /\$[({]\$/.test(text)
    )
      this.#odd(origin)
    if (/^\s*-?load\s/.test(text)) this.#odd(origin)
  }

  #odd({ file, line }: Origin): void {
    this.#made.opaque.push(`\`${file}:${line}\` changes the makefile while it runs`)
  }
}

/** The commands in `$(shell …)`. */
function shellCalls(text: string): readonly string[] {
  const found: string[] = []
  for (const opening of text.matchAll(/\$([({])\s*shell\s/g)) {
    const end = closing(text, opening.index + 1)
    found.push(text.slice(opening.index + opening[0].length, end).replaceAll('$$', '$'))
  }
  return found
}

/** Null if it is not certain where the comment starts. */
function withoutComment(text: string): string | null {
  const at = text.indexOf('#')
  if (at === -1) return text
  const before = text.slice(0, at)
  return /[\\({]/.test(before) && !/^[^\\]*\$?[({][^(){}]*[)}][^\\(){}]*$/.test(before) ? null : before
}

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
