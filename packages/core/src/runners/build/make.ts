import { isOwnName, isTakenByPrograms } from '../../command/exact/names.ts'
import type { CommandWord } from '../../command/model/decomposition.ts'
import { LOADING } from '../../knowledge/compiled/commands.ts'
import type { ProjectReader, Reading } from '../reading/project-reader.ts'
import { Finds, type Run, type Runner, unclear } from '../reading/runner.ts'
import { type Makefile, type MakeRule, type RecipeLine, readMakefile } from './makefile.ts'

const DEFAULTS = ['GNUmakefile', 'makefile', 'Makefile']
const MAX_TARGETS = 200
const MAX_NEEDS = 2_000
const FLAG =
  /^(?:-[BkisSwbm]+|-j\d*|-l[\d.]*|-O\w*|--(?:always-make|keep-going|silent|quiet|no-print-directory|print-directory|ignore-errors|jobs(?:=\d+)?|trace|no-builtin-rules|output-sync(?:=\w+)?|stop|debug(?:=\w+)?)|-[rR])$/
const PRINTS = /^(?:-n|--just-print|--dry-run|--recon)$/

interface Reached {
  readonly rule: MakeRule
  readonly target: string
}

interface Asked {
  readonly file: string | null
  readonly folder: string
  readonly targets: readonly string[]
  readonly variables: ReadonlyMap<string, string>
  readonly onlyPrints: boolean
  /** A word whose effect on recipes is not known. */
  readonly odd: string | null
}

/** make: the recipes of its targets and of what they need, and what runs while the makefile is read. */
export const seeMake: Runner = async ({ part, folder, reader }) => {
  const asked = readWords(part.args)
  if (asked === null) return unclear('the targets are not known')
  const at = await reader.resolve(asked.folder, folder)
  if (at === null) return unclear(`\`${asked.folder}\` is outside the workspace`)
  let reading: Reading = { kind: 'absent' }
  let makefile = ''
  for (const name of asked.file === null ? DEFAULTS : [asked.file]) {
    makefile = name
    reading = await reader.read(name, at)
    if (reading.kind !== 'absent') break
  }
  if (reading.kind === 'absent') return unclear('there is no makefile')
  if (reading.kind === 'opaque') return unclear(reading.why)
  const made = await readMakefile(reading, makefile, { folder: at, reader, given: asked.variables })
  const finds = new Finds()
  // make takes variables of the environment for its own.
  if (part.assignments.length > 0) finds.opaque.push('variables of the environment count in the makefile')
  finds.opaque.push(...made.opaque)
  if (asked.odd !== null) finds.opaque.push(`make has \`${asked.odd.slice(0, 40)}\`, which may change what runs`)
  const stray = [...asked.variables.keys()].find((name) => !isExpected(name, reading.text))
  if (stray !== undefined) finds.opaque.push(`the programs that make runs get the variable ${stray.slice(0, 40)}`)
  for (const line of made.atOnce)
    finds.runs.push(runOf(expanded(line, made, finds.opaque).replaceAll('$$', '$'), line, at))
  const first = made.variables.goal === undefined ? made.goals : [made.variables.goal.trim()]
  const goals = asked.targets.length > 0 ? asked.targets : first
  const { found, bare } = reached(made, goals, finds.opaque)
  await addSources(bare, at, reader, finds.opaque)
  for (const { rule, target } of found)
    for (const line of rule.lines) {
      const run = recipeRun(line, { rule, target }, made, at, finds.opaque)
      // `make -n` prints recipes, except for lines marked with `+` and those that call make again.
      const runs = !asked.onlyPrints || /^[@-]*\+/.test(line.text) || /\$[({]MAKE[)}]/.test(line.text)
      if (runs && run !== null) finds.runs.push(run)
    }
  return { runs: finds.runs, opaque: finds.opaque, exact: true }
}

/** Whether a variable of the command line, which every program of a recipe gets, means something to the makefile only. */
function isExpected(name: string, makefile: string): boolean {
  if (isOwnName(name)) return true
  const escaped = name.replaceAll('.', '\\.')
  return !isTakenByPrograms(name) && new RegExp(`\\$[({]${escaped}[)}:]|^\\s*${escaped}\\s*[?:+]*=`, 'm').test(makefile)
}

function runOf(code: string, { origin }: RecipeLine, cwd: string): Run {
  return { code, origin, cwd }
}

/** The text with the variables of the makefile. SECURITY: A28 make puts them into the command as code, also between quotes. */
function expanded({ text, origin }: RecipeLine, { variables }: Makefile, opaque: string[]): string {
  return variables.expand(text, () => opaque.push(`\`${origin.file}:${origin.line}\` is computed by make`))
}

function recipeRun(
  line: RecipeLine,
  { rule, target }: Reached,
  made: Makefile,
  cwd: string,
  opaque: string[],
): Run | null {
  const bare = line.text.replace(/^[@+\s-]+/, '')
  if (bare === '' || (bare.startsWith('#') && !bare.includes('\n'))) return null
  const { file, line: at } = line.origin
  const automatic = expanded({ ...line, text: bare }, made, opaque).replace(
    /(^|[^$])\$([@<^*?+|%])/g,
    (_, before: string, sign: string) => {
      if (sign === '@') return `${before}${target}`
      if (!rule.target.includes('%') && /[<^+]/.test(sign))
        return `${before}${(sign === '<' ? rule.needs.slice(0, 1) : rule.needs).join(' ')}`
      opaque.push(`\`${file}:${at}\` is computed by make`)
      return `${before}$$__needs`
    },
  )
  return runOf(automatic.replaceAll('$$', '$'), line, cwd)
}

/** The rules of the goals, of the makefiles, and of everything that they need; `bare`: what no recipe makes. */
function reached(
  made: Makefile,
  goals: readonly string[],
  opaque: string[],
): { readonly found: readonly Reached[]; readonly bare: readonly string[] } {
  const byTarget = new Map<string, MakeRule[]>()
  const patterns = made.rules.filter(
    ({ target }) => target.includes('%') || /^\.(?:DEFAULT$|(?!.*\/).*[^A-Z_])/.test(target),
  )
  for (const rule of made.rules) byTarget.set(rule.target, [...(byTarget.get(rule.target)?.slice(0, 64) ?? []), rule])
  const found: Reached[] = []
  const bare: string[] = []
  const known = new Set<string>()
  const waiting = [...goals]
  if (goals.length === 0) opaque.push('the makefile has no target')
  const isWanted = new Set(waiting)
  waiting.push(...made.names)
  // INVARIANT: what was read is what runs: make reads a makefile that it built once more.
  if (made.names.some((name) => made.rules.some(({ target, lines }) => target === name && lines.length > 0)))
    opaque.push('make builds a makefile')
  for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
    if (known.has(target)) continue
    known.add(target)
    if (known.size > MAX_NEEDS || found.length > MAX_TARGETS) {
      opaque.push('it has more targets than are followed')
      return { found, bare }
    }
    const own = byTarget.get(target) ?? []
    const hasRecipe = own.some(({ lines }) => lines.length > 0)
    if (!hasRecipe) bare.push(target)
    const usable = hasRecipe ? own : [...own, ...patterns.filter((rule) => fits(rule.target, target))]
    if (usable.length === 0 && isWanted.has(target))
      opaque.push(`the makefile has no target \`${target.slice(0, 64)}\``)
    for (const rule of usable) {
      found.push({ rule, target })
      for (const need of rule.needs) if (!need.includes('%')) waiting.push(need)
    }
  }
  return { found, bare }
}

/** Files from which make would build a target by its built-in rules: what they do is not followed. */
async function addSources(
  targets: readonly string[],
  folder: string,
  reader: ProjectReader,
  opaque: string[],
): Promise<void> {
  const lists = new Map<string, Promise<readonly string[] | null>>()
  for (const target of targets) {
    const slash = target.lastIndexOf('/')
    const at = slash === -1 ? '.' : target.slice(0, slash) || '/'
    const names = lists.get(at) ?? namesIn(at, folder, reader)
    lists.set(at, names)
    const list = await names
    const source = list?.find((name) => isSource(name, target.slice(slash + 1)))
    if (list === null || /[$()*?[]/.test(target)) opaque.push('make may build a file by implicit rules')
    else if (source !== undefined) opaque.push(`make may build \`${target.slice(0, 64)}\` from \`${source}\``)
  }
}

async function namesIn(at: string, folder: string, reader: ProjectReader): Promise<readonly string[] | null> {
  const names = await reader.names(at, folder)
  if (names !== null) return names
  const real = await reader.resolve(at, folder)
  return real !== null && (await reader.typeOf(real)) === 'absent' ? [] : null
}

/** Whether a built-in rule could make a file of this name from another one beside it, or from an old version of it. */
function isSource(name: string, target: string): boolean {
  const dot = name.lastIndexOf('.')
  const stem = target.includes('.') ? target.slice(0, target.lastIndexOf('.')) : target
  if (name === `${target},v` || name === `s.${target}` || name === 'RCS/' || name === 'SCCS/') return true
  const start = name.slice(0, dot)
  return (
    name !== target && (start === target || start === stem) && LOADING.makeSources.has(name.slice(dot).toLowerCase())
  )
}

/** Whether a pattern such as `%.o`, or an old suffix rule, can make a target. */
function fits(pattern: string, target: string): boolean {
  const at = pattern.indexOf('%')
  if (at === -1) return true
  return target.startsWith(pattern.slice(0, at)) && target.endsWith(pattern.slice(at + 1))
}

function readWords(args: readonly CommandWord[]): Asked | null {
  const targets: string[] = []
  const variables = new Map<string, string>()
  let file: string | null = null
  let folder = '.'
  let onlyPrints = false
  let odd: string | null = null
  for (let at = 0; at < args.length; at++) {
    const value = args[at]?.value ?? null
    if (value === null || args[at]?.glob === true) return null
    const given = /^(-f|--file|--makefile|-C|--directory)(?:=(.*))?$/.exec(value) ?? /^(-[fC])(.+)$/.exec(value)
    const set = /^([\w.-]+)[?+:]*=(.*)$/.exec(value)
    if (given !== null) {
      const path = given[2] ?? args[++at]?.value ?? null
      if (path === null) return null
      if (/^(?:-C|--directory)$/.test(given[1] ?? '')) folder = folder === '.' ? path : `${folder}/${path}`
      else {
        if (file !== null) odd ??= value
        file = path
      }
    } else if (PRINTS.test(value)) onlyPrints = true
    else if (value.startsWith('-')) {
      if (!FLAG.test(value)) odd ??= value
      if (value === '-j' && /^\d+$/.test(args[at + 1]?.value ?? '')) at++
    } else if (set !== null) {
      // SECURITY: A28 make computes the value, also where no recipe uses it.
      if (set[2]?.includes('$') === true) odd ??= value
      variables.set(set[1] ?? '', set[2] ?? '')
    } else if (value.includes('=')) odd ??= value
    else targets.push(value)
  }
  return { file, folder, targets, variables, onlyPrints, odd }
}
