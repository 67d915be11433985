import type { CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase, WELL_KNOWN } from '../../command/programs/program-names.ts'
import { TOOLS } from '../../knowledge/compiled/runners.ts'
import type { ToolRow } from '../../knowledge/runners.ts'
import { Finds, type Found, type Runner, type RunnerInput, unclear } from '../reading/runner.ts'
import { looseCode } from '../scripts/code-file.ts'
import { shadowedModules } from '../scripts/python-modules.ts'

const BY_NAME: ReadonlyMap<string, ToolRow> = new Map(
  TOOLS.tools.flatMap((row) => row.names.map((name) => [name, row] as const)),
)
const NODE_ENDINGS = ['.ts', '.js', '.mjs', '.mts', '.cjs', '.cts']

/** Whether a program is a tool that loads code from the project. */
export function isTool(program: string): boolean {
  return BY_NAME.has(program)
}

/** A tool of the project: by its configuration. The project's own code that it works on is not followed. */
export const seeTool: Runner = async (input) => {
  const row = BY_NAME.get(input.program)
  if (row === undefined || (row.verbs !== undefined && !row.verbs.includes(input.part.args[0]?.value ?? '')))
    return null
  if (row.opaque !== undefined) return unclear(`${input.program} ${row.opaque}`)
  const finds = new Finds()
  const odd = oddWord(row, input.part.args)
  if (odd !== null) finds.opaque.push(`${input.program} has \`${odd.slice(0, 40)}\`, which may load other code`)
  finds.add(await configuration(row, input))
  return finds
}

/** A tool that is found in `node_modules/.bin` or named by its path there. Null if nothing of this name is there. */
export const seeLocalTool: Runner = async (input) => {
  const { program, bins, reader, part } = input
  for (const { path: folder, names } of bins) {
    if (!names.has(lowerCase(program)) || (await reader.read(program, folder)).kind === 'absent') continue
    // SECURITY: a package can install a program under the name of another.
    if (WELL_KNOWN.has(program) && !isTool(program))
      return unclear(`\`${program}\` is a program of a package, not the system’s`)
    const found = isTool(program) ? await seeTool(input) : null
    if (found !== null) return { runs: found.runs, opaque: found.opaque, program: `${folder}/${program}` }
    return unclear(`\`${program.slice(0, 64)}\` is a program of a package`)
  }
  return isTool(program) && part.path === part.program ? seeTool(input) : null
}

async function configuration(row: ToolRow, { folder, reader, part }: RunnerInput): Promise<Found> {
  const finds = new Finds()
  for (const name of row.files ?? [])
    for (const path of row.language === 'node' ? NODE_ENDINGS.map((ending) => name + ending) : [name]) {
      const reading = await reader.read(path, folder)
      if (reading.kind === 'opaque') finds.opaque.push(reading.why)
      if (reading.kind !== 'file') continue
      if (row.language === 'node' || row.language === 'python')
        finds.add(await looseCode(reading, row.language, { cwd: part.cwd, reader }))
      else finds.opaque.push(`\`${reading.shown}\` is code that is not analyzed`)
    }
  for (const path of row.settings ?? []) {
    const reading = await reader.read(path, folder)
    if (reading.kind === 'opaque') finds.opaque.push(reading.why)
    const key = reading.kind === 'file' ? row.keys?.find((one) => hasKey(reading.text, one)) : undefined
    if (key !== undefined && reading.kind === 'file') finds.opaque.push(`\`${reading.shown}\` sets \`${key}\``)
  }
  if (row.language === 'python') finds.opaque.push(...(await shadowedModules(folder, reader)))
  return finds
}

/** Whether JSON, YAML, TOML or INI text has a key. */
function hasKey(text: string, key: string): boolean {
  const name = key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^[\\s{,]*["']?${name}["']?\\s*[:=]|[{,]\\s*"${name}"\\s*:`, 'm').test(text)
}

/** A word that is not known to be harmless: another option, or a path out of the project. */
function oddWord(row: ToolRow, args: readonly CommandWord[]): string | null {
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const value = word?.value ?? null
    if (value === null) return word?.text ?? ''
    if (value === '--') continue
    if (!value.startsWith('-')) {
      // `@file` takes more words from a file.
      if (/^[/~@]|(?:^|\/)\.\.(?:\/|$)/.test(value)) return value
      continue
    }
    const [name = value, given] = value.split('=', 2)
    const takes = row.values?.includes(name) === true
    if (row.flags?.includes(name) === true && (given === undefined || takes || /^\w*$/.test(given))) {
      if (!takes || given !== undefined) continue
      continue
    }
    if (!takes) return value
    if (given === undefined) at++
    const path = given ?? args[at]?.value ?? null
    if (path === null || /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path)) return value
  }
  return null
}
