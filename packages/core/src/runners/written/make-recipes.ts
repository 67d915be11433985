import type { Leaf } from './value-leaves.ts'

const VARIABLE = /^(?:export\s+)?([\w.-]+)\s*(?:\?|::?|\+)?=\s*(.*)$/
const SHELL_VARIABLE = /^(?:export\s+)?([\w.-]+)\s*!=\s*(.*)$/
const SHELL_CALL = /\$\(shell\s+((?:[^()]|\([^()]*\))*)\)|`([^`]+)`/g

/** The commands of a Makefile or justfile: recipe lines, `$(shell …)` and `!=`, as leaves without keys. */
export function recipeLeaves(text: string): readonly Leaf[] {
  const lines = joinedLines(text)
  const variables = new Map<string, string>()
  for (const { text: line } of lines) {
    const [, name, value] = VARIABLE.exec(line) ?? []
    if (name !== undefined && value !== undefined) variables.set(name, value)
  }
  return lines.flatMap(({ text: line, line: at }): Leaf[] => {
    const called = [...line.matchAll(SHELL_CALL)].map(([, make, just]) => make ?? just ?? '')
    const [, , assigned] = SHELL_VARIABLE.exec(line) ?? []
    const recipe = /^(?:\t| {2,})\s*[@+-]*(\S.*)$/.exec(line)?.[1]
    const codes = [...called, ...(assigned === undefined ? [] : [assigned]), ...(recipe === undefined ? [] : [recipe])]
    return codes.map((code) => ({ keys: [], value: asShell(code, variables), line: at }))
  })
}

/** Lines with their continuations, and the number of the first. */
function joinedLines(text: string): readonly { readonly text: string; readonly line: number }[] {
  const joined: { text: string; line: number }[] = []
  let open = false
  for (const [at, line] of text.split('\n').entries()) {
    const last = joined.at(-1)
    if (open && last !== undefined) last.text += ` ${line.trim().replace(/\\$/, '')}`
    else joined.push({ text: line.replace(/\\$/, ''), line: at + 1 })
    open = line.endsWith('\\')
  }
  return joined
}

/** A recipe line as the shell gets it: known variables filled in, unknown ones as variables of the shell. */
function asShell(code: string, variables: ReadonlyMap<string, string>, depth = 0): string {
  const filled = code.replace(
    /\$\$|\$[({]([\w.-]+)[)}]|\{\{\s*([\w.-]+)\s*\}\}/g,
    (all, make?: string, just?: string) => {
      if (all === '$$') return '\u0000'
      const name = make ?? just ?? ''
      const value = variables.get(name)
      if (value === undefined || depth > 4) return `$${name.replace(/\W/g, '_')}`
      return asShell(value, variables, depth + 1)
    },
  )
  return depth === 0 ? filled.replaceAll('\u0000', '$') : filled
}
