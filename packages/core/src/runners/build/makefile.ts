import type { Origin } from '../../command/model/decomposition.ts'
import type { ProjectFile, ProjectReader } from '../reading/project-reader.ts'
import { placeIn } from '../reading/runner.ts'

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
  readonly variables: Map<string, string>
  readonly rules: MakeRule[]
  /** Commands that run while the file is read. */
  readonly atOnce: RecipeLine[]
  readonly opaque: string[]
  /** The makefiles, as they are named: make builds each of them first if it has a rule for it. */
  readonly names: string[]
  goal: string | null
}

const MAX_INCLUDES = 16
const ASSIGNMENT = /^\s*(?:export\s+|override\s+|private\s+)*([\w.%-]+)\s*(\?|\+|!|:{1,3})?=\s?(.*)$/
const INCLUDE = /^\s*(-include|sinclude|include)\s+(.*)$/
const CONDITION = /^\s*(?:ifeq|ifneq|ifdef|ifndef|else|endif|export|unexport|undefine)\b/
const RULE = /^([^\t#=][^=]*?)\s*(&?::?)(?!=)\s*(.*)$/
/** Shells and options that read a recipe as we do. */
const USUAL_SHELL = /^(?:\/usr\/bin\/env\s+)?(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/
const USUAL_FLAGS = /^(?:-[euxoc]+|pipefail|errexit|nounset|\s)+$/

/** Reads a makefile and what it includes. */
export async function readMakefile(
  file: ProjectFile,
  name: string,
  folder: string,
  reader: ProjectReader,
): Promise<Makefile> {
  const made: Makefile = { variables: new Map(), rules: [], atOnce: [], opaque: [], names: [name], goal: null }
  let includes = 0
  const waiting = [file]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    for (const { isOptional, name: included } of parseInto(made, next)) {
      if (++includes > MAX_INCLUDES) return opaque(made, `\`${file.shown}\` includes too many files`)
      const path = expand(included, made.variables)
      made.names.push(path)
      const reading = /[$*?[]/.test(path) ? null : await reader.read(path, folder)
      if (reading === null) made.opaque.push(`\`${next.shown}\` includes files with computed names`)
      else if (reading.kind === 'file') waiting.push(reading)
      else if (reading.kind === 'opaque') made.opaque.push(reading.why)
      else if (!isOptional) made.opaque.push(`\`${path.slice(0, 80)}\` does not exist`)
    }
  }
  checkShell(made)
  if (made.variables.has('VPATH')) made.opaque.push('the makefile finds files in other folders')
  return made
}

function opaque(made: Makefile, why: string): Makefile {
  made.opaque.push(why)
  return made
}

/** Adds one file; returns the files that it includes. */
function parseInto(made: Makefile, file: ProjectFile): readonly { isOptional: boolean; name: string }[] {
  const included: { isOptional: boolean; name: string }[] = []
  let recipe: RecipeLine[][] = []
  let isDefine = false
  for (const { text, line } of logicalLines(file.text)) {
    const origin = placeIn(file, line)
    for (const command of shellCalls(text)) made.atOnce.push({ text: command, origin })
    if (/\$[({]\s*(?:eval|guile|file)\b/.test(text) || /^\s*-?load\s/.test(text) || text.startsWith('.RECIPEPREFIX'))
      made.opaque.push(`\`${file.shown}:${line}\` changes the makefile while it runs`)
    if (isDefine) {
      isDefine = !/^\s*endef\b/.test(text)
      continue
    }
    if (text.startsWith('\t') && recipe.length > 0) {
      for (const lines of recipe) lines.push({ text: text.slice(1), origin })
      continue
    }
    const plain = withoutComment(text)
    if (plain.trim() === '') continue
    if (/^\s*define\b/.test(plain)) {
      isDefine = true
      continue
    }
    const include = INCLUDE.exec(plain)
    if (include !== null) {
      for (const name of splitWords(include[2] ?? '')) included.push({ isOptional: include[1] !== 'include', name })
      continue
    }
    const set = ASSIGNMENT.exec(plain)
    if (set !== null) {
      assign(made, set, origin)
      continue
    }
    if (CONDITION.test(plain)) continue
    if (/^\s*vpath\b/.test(plain)) {
      made.opaque.push('the makefile finds files in other folders')
      continue
    }
    recipe = addRule(made, plain, origin)
  }
  return included
}

function assign(made: Makefile, [, name = '', how, value = '']: RegExpExecArray, origin: Origin): void {
  const { variables } = made
  if (how === '!') made.atOnce.push({ text: expand(value, variables), origin })
  if (how === '?' && variables.has(name)) return
  if (how === '!') variables.set(name, '$(shell)')
  else
    variables.set(
      name,
      how === '+' ? `${variables.get(name) ?? ''} ${value}` : value.replaceAll(`$(${name})`, variables.get(name) ?? ''),
    )
}

function addRule(made: Makefile, text: string, origin: Origin): RecipeLine[][] {
  const found = RULE.exec(text)
  if (found === null) return []
  const [, targets = '', , rest = ''] = found
  const [needs = '', ...inline] = rest.split(';')
  // `target: NAME = value` sets a variable for one target.
  const own = /^([\w.-]+)\s*[?+:]*=\s*(.*)$/.exec(rest)
  if (own !== null) {
    made.variables.set(own[1] ?? '', own[2] ?? '')
    return []
  }
  const recipes: RecipeLine[][] = []
  for (const target of splitWords(expand(targets, made.variables))) {
    const lines: RecipeLine[] = inline.length === 0 ? [] : [{ text: inline.join(';').trim(), origin }]
    // A static pattern rule has its pattern before a second colon.
    const after = needs.includes(':') ? needs.slice(needs.indexOf(':') + 1) : needs
    made.rules.push({ target, needs: splitWords(expand(after.replace('|', ' '), made.variables)), lines })
    recipes.push(lines)
    if (made.goal === null && !target.includes('%') && (!target.startsWith('.') || target.includes('/')))
      made.goal = target
  }
  return recipes
}

function checkShell({ variables, opaque: reasons }: Makefile): void {
  const shell = variables.get('SHELL')
  if (shell !== undefined && !USUAL_SHELL.test(expand(shell, variables).trim()))
    reasons.push('the makefile sets another shell')
  const flags = variables.get('.SHELLFLAGS')
  if (flags !== undefined && !USUAL_FLAGS.test(expand(flags, variables).trim()))
    reasons.push('the makefile changes how its shell runs')
  for (const name of ['MAKEFLAGS', 'MAKEFILES', 'MAKE', 'GNUMAKEFLAGS', 'PATH'])
    if (variables.has(name)) reasons.push(`the makefile sets ${name}`)
}

/** Lines with continuations joined, each with its number. */
function* logicalLines(text: string): Generator<{ readonly text: string; readonly line: number }> {
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    let joined = lines[at]?.replace(/\r$/, '') ?? ''
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(joined) && at + 1 < lines.length)
      joined = `${joined.slice(0, -1)} ${lines[++at]?.replace(/\r$/, '').trimStart() ?? ''}`
    yield { text: joined, line }
  }
}

/** The commands in `$(shell …)`. */
function shellCalls(text: string): readonly string[] {
  const found: string[] = []
  for (const opening of text.matchAll(/\$([({])shell\s/g)) {
    const end = closing(text, opening.index + 1)
    found.push(text.slice(opening.index + opening[0].length, end).replaceAll('$$', '$'))
  }
  return found
}

/** The index of the bracket that closes the one at a position, or the end. */
function closing(text: string, at: number): number {
  const open = text[at]
  const close = open === '(' ? ')' : '}'
  let depth = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === open) depth++
    else if (text[index] === close && --depth === 0) return index
  }
  return text.length
}

const BUILT_IN = new Map([
  ['MAKE', 'make'],
  ['CC', 'cc'],
  ['CXX', 'c++'],
  ['AR', 'ar'],
  ['LD', 'ld'],
  ['RM', 'rm -f'],
  ['CURDIR', '.'],
  ['SHELL', 'sh'],
])
/** A shell variable that nobody knows. */
const COMPUTED = '$$__computed'
const MAX_EXPANSION = 8
const MAX_EXPANDED = 64 * 1024

/**
 * Replaces `$(NAME)` by its value; what is not set comes from the environment, as in the shell. Functions become a shell
 * variable that nobody knows.
 */
export function expand(text: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  if (!text.includes('$') || text.length > MAX_EXPANDED) return text
  let out = ''
  for (let at = 0; at < text.length; at++) {
    const sign = text[at + 1]
    if (text[at] !== '$' || sign === undefined) out += text[at]
    else if (sign === '$') {
      out += '$$'
      at++
    } else if (sign === '(' || sign === '{') {
      const end = closing(text, at + 1)
      out += valueNamed(text.slice(at + 2, end), variables, depth)
      at = end
    } else {
      out += /[@<^*?+|%]/.test(sign) ? `$${sign}` : valueNamed(sign, variables, depth)
      at++
    }
    if (out.length > MAX_EXPANDED) return out
  }
  return out
}

function valueNamed(name: string, variables: ReadonlyMap<string, string>, depth: number): string {
  if (!/^[\w.-]+$/.test(name)) return COMPUTED
  const value = variables.get(name) ?? BUILT_IN.get(name)
  if (value === undefined) return `$\${${name}}`
  return depth >= MAX_EXPANSION ? COMPUTED : expand(value, variables, depth + 1)
}

function withoutComment(text: string): string {
  const at = /(?:^|[^\\])#/.exec(text)
  return at === null ? text : text.slice(0, at.index + (at[0].length - 1))
}

function splitWords(text: string): readonly string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
