import type { ProjectFile } from '../reading/project-reader.ts'
import { Finds, placeIn, type Runner, unclear } from '../reading/runner.ts'

const NAMES = ['justfile', 'Justfile', '.justfile', 'JUSTFILE']
const RECIPE = /^@?([\w-]+)((?:\s+[+*$]?[\w-]+(?:\s*=\s*(?:'[^']*'|"[^"]*"|[\w./-]+))?)*)\s*:(?!=)\s*(.*)$/
const ASSIGNED = /^(?:export\s+)?([\w-]+)\s*:=\s*(.*)$/
const USUAL_SHELL =
  /^\[\s*["'](?:\/bin\/)?(?:ba|z|da)?sh["'](?:\s*,\s*["']-[euxoc]+["']|\s*,\s*["']pipefail["'])*\s*\]$/

/** Lines that set nothing and stand for themselves. Others may change what recipes do. */
const PLAIN = /^(?:\s*(?:#(?!!).*)?|@?[\w-]+(?: [\w-]+)*\s*:(?!=)[ \w-]*|[ \t]+(?!#!)[^{}]*[^{}\\])$/

interface Recipe {
  readonly needs: readonly string[]
  readonly lines: { readonly text: string; readonly line: number }[]
}

/** just: the lines of a recipe and of those it depends on. */
export const seeJust: Runner = async ({ part, folder, reader }) => {
  const words = part.args.map(({ value, glob }) => (glob ? null : value))
  if (words.includes(null)) return unclear('the recipe is not known')
  if (words.some((word) => /^(?:--list|-l|--summary|--show|-s|--dump|--evaluate|--version|--help)$/.test(word ?? '')))
    return null
  if (words.some((word) => word?.startsWith('-'))) return unclear('just has an unknown option')
  for (const name of NAMES) {
    const reading = await reader.read(name, folder)
    if (reading.kind === 'opaque') return unclear(reading.why)
    if (reading.kind === 'file')
      return recipesOf(
        reading,
        words.filter((word) => word !== null),
        reading.real.slice(0, reading.real.lastIndexOf('/')),
      )
  }
  return unclear('there is no justfile in this folder')
}

function recipesOf(file: ProjectFile, asked: readonly string[], cwd: string): Finds {
  const finds = new Finds()
  const recipes = parse(file, finds, cwd)
  const odd = file.text.split('\n').findIndex((line) => !PLAIN.test(line))
  if (odd !== -1) finds.opaque.push(`\`${file.shown}:${odd + 1}\` is not analyzed`)
  const waiting = asked.length > 0 ? [...asked] : [[...recipes.keys()][0] ?? '']
  const known = new Set<string>()
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    if (known.has(name)) continue
    known.add(name)
    const recipe = recipes.get(name)
    if (recipe === undefined) {
      finds.opaque.push(`\`${file.shown}\` has no recipe \`${name.slice(0, 64)}\``)
      continue
    }
    waiting.push(...recipe.needs)
    const [first] = recipe.lines
    if (first?.text.startsWith('#!') === true && !/\b(?:ba|z|da)?sh\b/.test(first.text))
      finds.opaque.push(`\`${file.shown}:${first.line}\` is code that is not analyzed`)
    else
      for (const { text, line } of recipe.lines)
        if (!text.startsWith('#')) addRun(finds, file, { text: text.replace(/^[@-]+/, ''), line }, cwd)
  }
  return finds
}

/** What just inserts is a word that nobody knows. SECURITY: A28 it becomes code, also between quotes. */
function addRun(finds: Finds, file: ProjectFile, { text, line }: Recipe['lines'][number], cwd: string): void {
  const origin = placeIn(file, line)
  if (text.includes('{{')) finds.opaque.push(`\`${origin.file}:${line}\` is computed by just`)
  finds.runs.push({ code: text.replace(/\{\{[^}]*\}\}/g, '$__inserted'), origin, cwd })
}

function parse(file: ProjectFile, finds: Finds, cwd: string): ReadonlyMap<string, Recipe> {
  const recipes = new Map<string, Recipe>()
  let current: Recipe | null = null
  for (const [at, text] of file.text.split('\n').entries()) {
    const line = at + 1
    if (/^\s+\S/.test(text) && current !== null) {
      current.lines.push({ text: text.trim(), line })
      continue
    }
    if (text.trim() === '' || text.startsWith('#') || text.startsWith('[')) continue
    const set = /^set\s+(?:windows-)?shell\s*:=\s*(.*)$/.exec(text)
    if (set !== null && !USUAL_SHELL.test((set[1] ?? '').trim()))
      finds.opaque.push(`\`${file.shown}:${line}\` sets another shell`)
    if (/^(?:import|mod|!include)\b/.test(text)) finds.opaque.push(`\`${file.shown}:${line}\` loads another file`)
    const assigned = ASSIGNED.exec(text)
    if (assigned !== null) {
      for (const [, command = ''] of (assigned[2] ?? '').matchAll(/`([^`]*)`/g))
        addRun(finds, file, { text: command, line }, cwd)
      continue
    }
    const recipe = RECIPE.exec(text)
    current = recipe === null ? null : { needs: needsOf(recipe[3] ?? ''), lines: [] }
    if (current !== null) recipes.set(recipe?.[1] ?? '', current)
  }
  return recipes
}

function needsOf(text: string): readonly string[] {
  const plain = text.replace(/#.*$/, '').replace(/&&/g, ' ')
  return [...plain.matchAll(/\(\s*([\w-]+)[^)]*\)|([\w-]+)/g)].map(([, called, name]) => called ?? name ?? '')
}
