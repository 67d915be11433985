import { isOwnName, isTakenByPrograms } from '../../command/exact/names.ts'
import type { CommandPart } from '../../command/model/decomposition.ts'
import { SHELL_BUILTINS } from '../../command/programs/program-names.ts'
import type { Run } from './runner.ts'

/** Shells without the syntax that bash adds. */
const PLAIN_SHELLS: ReadonlySet<string> = new Set(['sh', 'dash', 'ash'])
/**
 * Syntax that `sh` reads as other commands than bash does: `&>` (a job, then `>`), `((…))` (subshells), `[[ a > b ]]` (a file),
 * quotes after `$`, and braces.
 */
const DIFFERS =
  /&>|(?:^|[\s;&|!])\(\(|(?:^|[\s;&|(!])\[\[\s|\$'[^']*\\'|(?<![$'"\w])\{[^\s{}'"$]*(?:,|\.\.)[^\s{}'"]*\}/m
/** Builtins that change nothing of the shell they run in. */
const QUIET = new Set([
  ':',
  '[',
  '[[',
  'echo',
  'printf',
  'true',
  'false',
  'test',
  'pwd',
  'command',
  'type',
  '.',
  'source',
])

/**
 * Why the shell that runs code may do something else than what was found in it; null if it does not. INVARIANT: L3, commands are
 * found as bash reads them.
 */
export function otherShell({ code, shell = 'sh', sourced }: Run, parts: readonly CommandPart[]): string | null {
  if (typeof code !== 'string') return null
  if (shell !== 'bash' && !PLAIN_SHELLS.has(shell)) return `is run by ${shell}, which parses commands differently`
  if (shell !== 'bash' && DIFFERS.test(code)) return 'means something else in sh than in bash'
  return sourced === true && parts.some(changesShell) ? 'changes the shell that continues after it' : null
}

function changesShell({ program, path, args, assignments, defined }: CommandPart): boolean {
  if (defined === true || program === null) return true
  if (program === '') return !assignments.every(({ name }) => isOwnName(name))
  if (program === 'export' && args.every(({ value }) => isPlainExport(value))) return false
  return path === program && SHELL_BUILTINS.has(program) && !QUIET.has(program)
}

/** `NAME=value` or `NAME`, where the name means nothing to programs. */
function isPlainExport(word: string | null): boolean {
  const name = /^([A-Za-z_]\w*)(?:=|$)/.exec(word ?? '')?.[1]
  return name !== undefined && !isTakenByPrograms(name)
}
