import type { JsonObject } from '../../call/json/json.ts'
import type { TargetFacts } from '../../ports/targets.ts'

const NAMES = ['mode', 'permissions', 'file_mode', 'fileMode', 'chmod']
const EXECUTABLE = 0o111

/** What becomes of a file's permissions, in words: from the arguments, from a patch's `new mode`, and as they are now. */
export function modeNotes(args: JsonObject, facts: TargetFacts): readonly string[] {
  const patched = patchMode(args)
  if (patched?.startsWith('120')) return ['a link is made, and the text is where it leads']
  if (patched?.startsWith('160')) return ['a submodule is set, and the text is its commit']
  const wanted = patched === undefined ? givenMode(args) : Number.parseInt(patched.slice(-3), 8)
  const exists = facts.type === 'file'
  if (wanted === undefined)
    return exists && (facts.mode & EXECUTABLE) !== 0 ? ['the file is executable, and stays so'] : []
  if (exists && wanted === (facts.mode & 0o7777)) return []
  const runs = (wanted & EXECUTABLE) !== 0
  if (!exists) {
    // What every new file gets is not worth a word.
    if (patched !== undefined && !runs) return []
    return [`its mode will be ${octal(wanted)}${runs ? ': it can be run' : ''}`]
  }
  const ran = (facts.mode & EXECUTABLE) !== 0
  // git keeps only whether a file can be run.
  if (patched !== undefined && runs === ran) return []
  const effect = runs === ran ? '' : runs ? ': it can be run' : ': it can no longer be run'
  return [`its mode changes from ${octal(facts.mode)} to ${octal(wanted)}${effect}`]
}

function givenMode(args: JsonObject): number | undefined {
  for (const name of NAMES) {
    const value = args[name]
    if (typeof value === 'string' && /^(?:0o?)?[0-7]{3,4}$/.test(value))
      return Number.parseInt(value.replace('o', ''), 8)
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0o7777) return value
  }
  return undefined
}

/** The mode in a patch's heading: `100755`, or `120000` for a link. */
function patchMode(args: JsonObject): string | undefined {
  const { patch } = args
  if (typeof patch !== 'string') return undefined
  const end = patch.search(/^@@/m)
  const head = end === -1 ? patch.slice(0, 4000) : patch.slice(0, end)
  return /^new (?:file )?mode (\d{6})\r?$/m.exec(head)?.[1]
}

function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}
