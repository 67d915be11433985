import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { optionTables, printedLines } from '../../knowledge/programs.ts'

/**
 * Whether a command only prints its version, its help or the like, and ends. Only whole command lines count: `sort -V`
 * sorts, and behind another word `--version` may come too late.
 */
export function printsOnly({ program, args }: CommandPart): boolean {
  if (!program || args.length === 0 || args.length > MAX_WORDS) return false
  const words = args.map(({ value, glob }) => (glob ? null : value))
  if (words.includes(null)) return false
  const line = words.join(' ')
  const name = lowerCase(program)
  if (printedLines(name).includes(line)) return true
  if (line !== '--help' && line !== '--version') return false
  return optionTables(name).some(({ proof, verbs, flag }) => proof && !verbs && flag?.includes(line) === true)
}

const MAX_WORDS = 4
