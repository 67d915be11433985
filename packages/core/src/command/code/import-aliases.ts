import type { CodeToken } from './tokenizer.ts'

/** The meaning of imported names: `sp` is `subprocess`, `remove` is `os.remove`. */
export type Aliases = ReadonlyMap<string, string>

const isSign = (token: CodeToken | undefined, text: string) => token?.kind === 'sign' && token.text === text

/** `node:fs/promises` is `promises`. */
function moduleName(text: string): string {
  return text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf(':')) + 1)
}

/** Reads `import a as b`, `from a import b as c`, `x = require('a')` and `{ b } = require('a')`. */
export function aliasesOf(tokens: readonly CodeToken[]): Aliases {
  const aliases = new Map<string, string>()
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at]
    if (token?.kind !== 'name') continue
    const next = tokens[at + 1]
    if (token.text === 'from' && next?.kind === 'name') fromImport(tokens, at + 1, aliases)
    else if (token.text === 'import' && next?.kind === 'name' && tokens[at + 2]?.text === 'as')
      setOnce(aliases, tokens[at + 3]?.text ?? '', next.text)
    else if (token.text === 'from' && next?.kind === 'string') boundBefore(tokens, at, moduleName(next.text), aliases)
    else if (
      token.text === 'require' &&
      isSign(next, '(') &&
      tokens[at + 2]?.kind === 'string' &&
      isSign(tokens[at - 1], '=')
    )
      boundBefore(tokens, at - 1, moduleName(tokens[at + 2]?.text ?? ''), aliases)
  }
  return aliases
}

/** `from a import b as c` is read before its own `import b as c`. */
function setOnce(aliases: Map<string, string>, name: string, stands: string): void {
  if (!aliases.has(name)) aliases.set(name, stands)
}

function fromImport(tokens: readonly CodeToken[], at: number, aliases: Map<string, string>): void {
  const module = tokens[at]?.text ?? ''
  let from = at + 1
  while (from < at + 12 && tokens[from]?.text !== 'import') from++
  for (let one = from + 1; one < tokens.length && one < from + 100; one++) {
    const token = tokens[one]
    if (token === undefined || token.kind === 'end' || isSign(token, ';')) return
    if (token.kind !== 'name' || token.text === 'as') continue
    const renamed = tokens[one + 1]?.text === 'as' ? tokens[one + 2]?.text : undefined
    aliases.set(renamed ?? token.text, `${module}.${token.text}`)
    if (renamed !== undefined) one += 2
  }
}

/** Names bound to a module just before `=` or `from`: `fs`, `* as fs`, `{ rm, rmSync: gone }`. */
function boundBefore(tokens: readonly CodeToken[], end: number, module: string, aliases: Map<string, string>): void {
  const last = tokens[end - 1]
  if (last?.kind === 'name') {
    aliases.set(last.text, module)
    return
  }
  if (!isSign(last, '}')) return
  for (let at = end - 2; at >= 0 && at > end - 100 && !isSign(tokens[at], '{'); at--) {
    const name = tokens[at]
    if (name?.kind !== 'name' || name.text === 'as') continue
    const renamed = isSign(tokens[at - 1], ':') || tokens[at - 1]?.text === 'as' ? tokens[at - 2]?.text : undefined
    aliases.set(name.text, `${module}.${renamed ?? name.text}`)
    if (renamed !== undefined) at -= 2
  }
}

/** The name of a called function, with its owner: `os.remove`, `child_process.exec`, `rmtree`. */
export function calledName(tokens: readonly CodeToken[], at: number, aliases: Aliases): string {
  const name = tokens[at]?.text ?? ''
  if (!isSign(tokens[at - 1], '.')) return aliases.get(name) ?? name
  const owner = tokens[at - 2]
  // Perl's own functions, whatever the code defines under their names.
  if (owner?.text === 'CORE' || owner?.text === 'GLOBAL') return name
  if (owner?.kind === 'name') {
    const further = isSign(tokens[at - 3], '.') && tokens[at - 4]?.kind === 'name' ? `${tokens[at - 4]?.text}.` : ''
    return `${further}${aliases.get(owner.text) ?? owner.text}.${name}`
  }
  // `require('fs').rmSync`, `__import__('os').system`
  if (isSign(owner, ')') && tokens[at - 3]?.kind === 'string' && isSign(tokens[at - 4], '('))
    return `${moduleName(tokens[at - 3]?.text ?? '')}.${name}`
  return `?.${name}`
}
