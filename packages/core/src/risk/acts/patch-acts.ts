import type { CommandPart } from '../../command/model/decomposition.ts'
import type { ProgramRow } from '../../knowledge/programs.ts'
import { optionsOf } from '../arguments/known-options.ts'
import type { FileActs } from './file-act.ts'

/** `patch -p1 < fix.patch`, `patch file fix.patch`: the patch itself says which files change. */
export function patchActs(part: CommandPart, row: ProgramRow): FileActs {
  const { known, unknown, words } = optionsOf(part, row)
  const paths = words.map(({ value }) => value ?? '')
  if (unknown.length > 0 || paths.includes('') || paths.length > 2) return null
  const optionText = (...names: readonly string[]) =>
    known.filter(({ name }) => names.includes(name)).at(-1)?.value?.value
  const [original = null, second] = paths
  const given = second ?? optionText('-i', '--input') ?? inputOf(part)
  if (given === null || (second !== undefined && optionText('-i', '--input') !== undefined)) return null
  const from = typeof given === 'string' ? { file: given } : given
  const stripped = optionText('-p', '--strip') ?? null
  // Without the option only the last name of a path counts, unless that file is there: too many ways.
  if (original === null && (stripped === null || !/^\d$/.test(stripped))) return null
  const strip = original === null ? Number(stripped) : null
  return [{ kind: 'patch', from, strip, original, onlyChecks: known.some(({ name }) => name === '--dry-run') }]
}

/** Where standard input comes from: a file, or text of the command itself. */
function inputOf({ redirections, stdin }: CommandPart): string | { readonly text: string } | null {
  const files = redirections.filter(({ operator }) => operator === '<')
  if (files.length > 0) return files.length === 1 ? (files[0]?.target ?? null) : null
  return stdin.kind === 'literal' ? { text: stdin.text } : null
}
