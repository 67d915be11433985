import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/lower-case.ts'
import { DATA_FLOW } from '../../knowledge/compiled/commands.ts'
import { CREDENTIAL_FILES } from '../../knowledge/compiled/paths.ts'

/** How a search names secrets: those of the project alone, or any. */
export type FoundSecrets = 'project' | 'anywhere' | null

/** Whether a search looks for files that hold secrets, by their names. */
export function foundSecrets(part: CommandPart): FoundSecrets {
  if (!DATA_FLOW.finders.has(lowerCase(part.program ?? ''))) return null
  const locates = part.program === 'locate'
  let project = false
  for (let at = 0; at < part.args.length; at++) {
    const named = locates || part.program !== 'find' || DATA_FLOW.nameTests.has(part.args[at - 1]?.value ?? '')
    const value = part.args[at]?.value ?? ''
    if (!named || value === '' || value.startsWith('-') || part.args[at - 1]?.value === '!') continue
    const name = lowerCase(value.slice(value.lastIndexOf('/') + 1)).replace(/^\*+(?=[\w.])|(?<=\w)\*+$/g, '')
    if (name.startsWith('.env')) project = true
    else if (CREDENTIAL_FILES.files.has(name) || (name.length > 3 && CREDENTIAL_FILES.endings.has(name)))
      return 'anywhere'
  }
  if (!project) return null
  return part.args.some(({ value }) => value !== null && /^(?:[/~]|\.\.)/.test(value)) ? 'anywhere' : 'project'
}

/** Whether a part shows or copies the files that a search gives it. */
export function takesFound(part: CommandPart): boolean {
  const last = part.via.at(-1) ?? ''
  return (
    DATA_FLOW.readers.has(lowerCase(part.program ?? '')) && /^(?:find|fd|fdfind|xargs|gxargs|parallel)\b/.test(last)
  )
}
