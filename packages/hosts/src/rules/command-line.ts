/** The values of an option on a command line: `--name a b`, `--name=a`, as often as it is given. */
export function optionValues(argv: readonly string[], names: readonly string[]): readonly string[] {
  const found: string[] = []
  let isOpen = false
  for (const word of argv) {
    if (word.startsWith('-')) {
      const [name = '', ...rest] = word.split('=')
      isOpen = names.includes(name) && rest.length === 0
      if (names.includes(name) && rest.length > 0) found.push(rest.join('='))
    } else if (isOpen) found.push(word)
  }
  return found
}

/** The rules in a text that separates them with commas or spaces: `Bash(git log:*), Edit`. */
export function rulesIn(text: string): readonly string[] {
  return text.match(/[^\s,()]+(?:\([^)]*\)?)?/g) ?? []
}
