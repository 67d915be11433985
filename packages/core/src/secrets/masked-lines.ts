/** A text, and the same text with its secrets masked. */
export interface MaskedText {
  readonly text: string
  readonly masked: string
}

/**
 * Masked texts whose lines are equal only if the lines of the texts are: comparing them shows every change, also one from
 * a secret to another.
 *
 * @example
 * comparableMasks([{ text: 'PIN=1', masked: 'PIN=[masked]' }, { text: 'PIN=2', masked: 'PIN=[masked]' }])
 * // ['PIN=[masked]', 'PIN=[masked, value 2]']
 */
export function comparableMasks(texts: readonly MaskedText[]): readonly string[] {
  const known = new Map<string, string[]>()
  return texts.map(({ text, masked }) => {
    const lines = text.split('\n')
    const covered = masked.split('\n')
    if (lines.length !== covered.length) return masked
    return covered.map((line, at) => numbered(line, lines[at] ?? '', known)).join('\n')
  })
}

function numbered(masked: string, line: string, known: Map<string, string[]>): string {
  if (masked === line) return masked
  const same = known.get(masked) ?? []
  known.set(masked, same)
  if (!same.includes(line)) same.push(line)
  const nth = same.indexOf(line)
  return nth === 0 ? masked : masked.replace(/(\[masked[^\]]*)\]/, `$1, value ${nth + 1}]`)
}
