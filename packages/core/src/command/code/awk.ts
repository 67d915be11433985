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
      if (token.text === 'getline' && isSign(tokens[at - 1], '|')) effects.push(runOf(tokens, at - 2))
      if (token.text === 'load' && isSign(tokens[at - 1], '@')) effects.push({ kind: 'eval', run: null, paths: [] })
      if (token.text === 'getline' && isSign(tokens[at + 1], '<')) effects.push(fileOf('read', tokens, at + 2))
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
