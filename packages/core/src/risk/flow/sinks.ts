import { inlineCode, interpreterOf } from '../../command/code/inline-code.ts'
import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { readShellWords, SHELLS } from '../../command/nested/shells.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { DATA_FLOW } from '../../knowledge/compiled/commands.ts'

const SUBSTITUTION = /\$\(|`|<\(/

/** Where the code of a part comes from: its input, its words, a file, or nowhere. */
export type CodeFrom = 'input' | 'words' | 'file' | null

/** Where the code that a part runs comes from; null if it runs none. */
export function codeFrom(part: CommandPart): CodeFrom {
  if (part.program === null) return 'words'
  const name = lowerCase(part.program)
  if (DATA_FLOW.textRunners.has(name)) return part.args.some(({ value }) => value === null) ? 'words' : 'file'
  if (SHELLS.has(name)) return shellCode(part)
  if (interpreterOf(name) !== null) return interpreterCode(part, name)
  if (name === 'java') return part.args.some(isSubstituted) ? 'words' : 'file'
  return part.path?.includes('/') === true ? 'file' : null
}

function shellCode({ args }: CommandPart): CodeFrom {
  const use = readShellWords(args)
  if (use.kind === 'stdin') return 'input'
  if (use.kind === 'unknown') return 'words'
  const word = args[use.at]
  if (word?.value === null || SUBSTITUTION.test(word?.text ?? '') || isFed(word)) return 'words'
  return use.kind === 'code' ? null : 'file'
}

function interpreterCode({ args, stdin }: CommandPart, name: string): CodeFrom {
  const code = inlineCode(name, args, { kind: 'none' })
  if (code !== null) return code.known && !args.some(({ text }) => SUBSTITUTION.test(text)) ? null : 'words'
  for (const word of args) {
    const { value } = word
    if (value === null) return isSubstituted(word) || isFed(word) ? 'words' : 'file'
    if (value === '-' || value === '/dev/stdin') return 'input'
    if (value === '-m') return null
    if (!value.startsWith('-')) return 'file'
  }
  return stdin.kind === 'none' ? null : 'input'
}

/** A word that `xargs` or a similar program adds. */
function isFed(word: CommandWord | undefined): boolean {
  return word?.text === '…' || word?.text.includes('$_') === true
}

/** Whether a part sends its input or arguments to another machine. */
export function isSink(part: CommandPart): boolean {
  const name = lowerCase(part.program ?? '')
  if (DATA_FLOW.senders.has(name)) return true
  if (
    part.redirections.length > 0 &&
    part.redirections.some(({ target }) => target !== null && /^\/dev\/(?:tcp|udp)\//.test(target))
  )
    return true
  if (DATA_FLOW.bucketClients.has(name))
    return part.args.some(({ value }) => value !== null && DATA_FLOW.uploadVerbs.has(value))
  if (name === 'openssl') return part.args[0]?.value === 's_client'
  return name === 'gh' && DATA_FLOW.publishingVerbs.has(part.args[0]?.value ?? '')
}

/** A web client, whose headers may authenticate the caller. */
export function isWebClient(part: CommandPart): boolean {
  return DATA_FLOW.webClients.has(lowerCase(part.program ?? ''))
}

/** Whether a word contains the output of another command. */
export function isSubstituted(word: CommandWord): boolean {
  return word.value === null && SUBSTITUTION.test(word.text)
}

/** Whether the input of a part becomes its words. */
export function isFedWords(part: CommandPart): boolean {
  return part.via.some((label) => label === 'xargs' || label === 'parallel')
}
