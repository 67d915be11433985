import type { ParsedScript, WordPart } from 'unbash'

/** The words behind `git`, of a script that is only one command of it with literal words. */
export function listingWords({ commands }: ParsedScript): readonly string[] | null {
  const [statement] = commands
  const command = statement?.command
  if (commands.length !== 1 || statement?.background === true || command?.type !== 'Command') return null
  const { name, prefix, suffix } = command
  if (name?.text !== 'git' || prefix.length > 0) return null
  const words = suffix.map((word) =>
    word.type === 'Word' && (word.parts ?? []).every(isQuotedPart) ? word.value : null,
  )
  return words.every((word) => word !== null) ? words : null
}

function isQuotedPart({ type }: WordPart): boolean {
  return type === 'SingleQuoted' || type === 'DoubleQuoted'
}
