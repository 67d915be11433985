import type { CommandPart } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/lower-case.ts'
import { wordSet } from '../arguments/word-set.ts'
import { SECRET_ENDINGS, SECRET_FILES } from '../path/well-known-names.ts'

const FINDERS = wordSet('find fd fdfind locate')
const NAMES = wordSet('-name -iname -path -ipath -wholename -g --glob')
/** Programs that show or copy what is in the files they are given. */
const TAKES = wordSet(
  'cat tac head tail less more bat strings base64 base32 xxd od hexdump nl cp mv tar zip gzip 7z rsync scp sed awk openssl',
)

/** How a search names secrets: those of the project alone, or any. */
export type FoundSecrets = 'project' | 'anywhere' | null

/** Whether a search looks for files that hold secrets, by their names. */
export function foundSecrets(part: CommandPart): FoundSecrets {
  if (!FINDERS.has(lowerCase(part.program ?? ''))) return null
  const locates = part.program === 'locate'
  let project = false
  for (let at = 0; at < part.args.length; at++) {
    const named = locates || part.program !== 'find' || NAMES.has(part.args[at - 1]?.value ?? '')
    const value = part.args[at]?.value ?? ''
    if (!named || value === '' || value.startsWith('-') || part.args[at - 1]?.value === '!') continue
    const name = lowerCase(value.slice(value.lastIndexOf('/') + 1)).replace(/^\*+(?=[\w.])|(?<=\w)\*+$/g, '')
    if (name.startsWith('.env')) project = true
    else if (SECRET_FILES.has(name) || (name.length > 3 && SECRET_ENDINGS.includes(name))) return 'anywhere'
  }
  if (!project) return null
  return part.args.some(({ value }) => value !== null && /^(?:[/~]|\.\.)/.test(value)) ? 'anywhere' : 'project'
}

/** Whether a part shows or copies the files that a search gives it. */
export function takesFound(part: CommandPart): boolean {
  const last = part.via.at(-1) ?? ''
  return TAKES.has(lowerCase(part.program ?? '')) && /^(?:find|fd|fdfind|xargs|gxargs|parallel)\b/.test(last)
}
