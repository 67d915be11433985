import type { CodeEffect } from './find-effects.ts'
import type { CodeToken } from './tokenizer.ts'

const isSign = (token: CodeToken | undefined, text: string) => token?.kind === 'sign' && token.text === text

/** The effects of an awk program: `system`, pipes, files that it writes or reads, libraries that it loads. */
export function awkEffects(tokens: readonly CodeToken[]): readonly CodeEffect[] {
  const effects: CodeEffect[] = []
  let printing = false
  let depth = 0
  for (let at = 0; at < tokens.length && effects.length < 64; at++) {
    const token = tokens[at]
    if (token === undefined) break
    if (token.kind === 'name') {
      if (token.text === 'print' || token.text === 'printf') {
        printing = true
        depth = 0
      }
      if (token.text === 'system' && isSign(tokens[at + 1], '(')) effects.push(runOf(tokens, at + 2))
      if (token.text === 'getline') effects.push(...readBy(tokens, at))
      // `@load`, `@include`, and `@name()`, which calls the function that a variable names.
      if (isSign(tokens[at - 1], '@')) effects.push({ kind: 'eval', run: null, paths: [] })
      if (token.text === 'ENVIRON' && !isOneVariable(tokens, at + 1))
        effects.push({ kind: 'environment', run: null, paths: [] })
      if (token.text === 'ARGV' && isChanged(tokens, at + 1)) effects.push({ kind: 'read', run: null, paths: [null] })
    } else if (token.kind === 'end' || isSign(token, ';') || isSign(token, '}') || isSign(token, '{')) printing = false
    else if (isSign(token, '(')) depth++
    else if (isSign(token, ')')) depth--
    else if (
      printing &&
      depth <= 0 &&
      isSign(token, '|') &&
      !isSign(tokens[at + 1], '|') &&
      !isSign(tokens[at - 1], '|')
    )
      effects.push(...pipedTo(tokens, isSign(tokens[at + 1], '&') ? at + 2 : at + 1))
    else if (printing && depth <= 0 && isSign(token, '>') && !isSign(tokens[at + 1], '='))
      effects.push(fileOf('write', tokens, isSign(tokens[at + 1], '>') ? ++at + 1 : at + 1))
  }
  return effects
}

/** What `getline` reads: the output of a command, or a file. A variable may stand before the file's name. */
function readBy(tokens: readonly CodeToken[], at: number): readonly CodeEffect[] {
  if (isSign(tokens[at - 1], '|')) return [runOf(tokens, at - 2)]
  if (isSign(tokens[at - 1], '&') && isSign(tokens[at - 2], '|')) return [runOf(tokens, at - 3)]
  for (let next = at + 1; next < tokens.length && next < at + 24; next++) {
    const token = tokens[next]
    if (isSign(token, '<')) return [fileOf('read', tokens, next + 1)]
    if (token === undefined || token.kind === 'end' || (token.kind === 'sign' && /[;{})&|>]/.test(token.text))) break
  }
  return []
}

/** `ENVIRON["HOME"]`: a single variable, whose name does not suggest a secret. */
function isOneVariable(tokens: readonly CodeToken[], at: number): boolean {
  const name = tokens[at + 1]
  return (
    isSign(tokens[at], '[') &&
    name?.kind === 'string' &&
    isSign(tokens[at + 2], ']') &&
    !/pass|pwd|secret|token|key|credential|auth|private|dsn|_url|conn/i.test(name.text)
  )
}

/** `ARGV[1] = "file"`: awk reads the files that `ARGV` names. */
function isChanged(tokens: readonly CodeToken[], at: number): boolean {
  if (!isSign(tokens[at], '[')) return true
  for (let next = at + 1; next < tokens.length && next < at + 24; next++) {
    if (isSign(tokens[next], ']')) return isSign(tokens[next + 1], '=') && !isSign(tokens[next + 2], '=')
  }
  return true
}

/** A literal string to which nothing is appended. */
function literalAt(tokens: readonly CodeToken[], at: number): string | null {
  const token = tokens[at]
  const next = tokens[at + 1]
  const single = next === undefined || next.kind === 'end' || (next.kind === 'sign' && /[);}|&]/.test(next.text))
  return token?.kind === 'string' && !token.dynamic && single ? token.text : null
}

function runOf(tokens: readonly CodeToken[], at: number): CodeEffect {
  const text = literalAt(tokens, at)
  const first = tokens[at]
  const started = first?.kind === 'string' && first.text !== '' ? { text: `${first.text}$_`, known: false } : null
  const shell = text === null ? started : { text, known: true }
  return { kind: 'run', run: shell === null ? null : { kind: 'shell', ...shell }, paths: [] }
}

const READS_CODE = /^\s*(?:\S{0,200}\/)?(?:ba|z|da|k)?sh\b|^\s*(?:python|perl|node|ruby|php|xargs)/

/** A command that reads what awk prints; a shell runs it. */
function pipedTo(tokens: readonly CodeToken[], at: number): readonly CodeEffect[] {
  const run = runOf(tokens, at)
  return READS_CODE.test(tokens[at]?.text ?? '') ? [run, { kind: 'eval', run: null, paths: [] }] : [run]
}

function fileOf(kind: 'read' | 'write', tokens: readonly CodeToken[], at: number): CodeEffect {
  return { kind, run: null, paths: [literalAt(tokens, at)] }
}
