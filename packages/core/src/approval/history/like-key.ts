import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import type { JournalEntry } from '../../journal/entry.ts'

/** Anything that makes more than one simple command of a text. */
const COMPOUND = /[|;&<>`\n\r(){}]|\$/
const WORD = /^[a-z][a-z0-9:-]*$/

/**
 * What a judged call has in common with calls like it: tool, program and verb, level, reasons without names and numbers, and
 * the kinds of its targets. Null if that is not certain, as for a compound command: people are shown no comparison then.
 */
export function likeKey(entry: JournalEntry): string | null {
  const { tool, does, risk, args, circumstances, cwd } = entry
  if (!isJsonObject(risk) || !isJsonObject(args) || !Array.isArray(risk['reasons'])) return null
  const paths = pathsOf(circumstances)
  const named = namesOf(does, args, paths)
  if (named === null || typeof cwd !== 'string') return null
  const reasons = new Set(risk['reasons'].map((text) => String(text).replace(/`[^`]*`|\d[\d.,]*/g, '·')))
  const targets = new Set(paths.map(({ real, use }) => `${use} ${placeOf(real, cwd)}`))
  return JSON.stringify([
    tool,
    does,
    risk['level'],
    risk['reversible'],
    named,
    [...reasons].toSorted(),
    [...targets].toSorted(),
  ])
}

interface Path {
  readonly given: string
  readonly real: string | null
  readonly use: string
}

function pathsOf(circumstances: Json | undefined): readonly Path[] {
  const paths = isJsonObject(circumstances) ? circumstances['paths'] : undefined
  if (!Array.isArray(paths)) return []
  return paths.flatMap((path) => {
    if (!Array.isArray(path)) return []
    const [given, real, use] = path
    return [{ given: String(given), real: typeof real === 'string' ? real : null, use: String(use) }]
  })
}

function placeOf(real: string | null, cwd: string): string {
  if (real === null) return 'unknown'
  return real === cwd || real.startsWith(`${cwd}/`) ? 'inside' : 'outside'
}

function namesOf(does: Json | undefined, args: JsonObject, paths: readonly Path[]): readonly string[] | null {
  if (does === 'execute' && args['command'] !== undefined) return programOf(args['command'], paths)
  // What runs may be in any field: only calls without text that could be a command are compared.
  const isPlain = does !== 'execute' || Object.values(args).every((value) => !/\s/u.test(JSON.stringify(value)))
  return isPlain ? Object.keys(args).toSorted() : null
}

/** The program and, unless it is a path, the first word behind it; null for anything but a simple command. */
function programOf(command: Json | undefined, paths: readonly Path[]): readonly string[] | null {
  if (typeof command !== 'string' || COMPOUND.test(command)) return null
  const [program, verb] = command.trim().split(/\s+/u)
  if (program === undefined || program === '' || program.includes('=')) return null
  const isVerb = verb !== undefined && WORD.test(verb) && !paths.some(({ given }) => given === verb)
  return isVerb ? [program, verb] : [program]
}
