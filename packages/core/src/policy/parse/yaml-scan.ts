import { CST, Lexer } from 'yaml'

const MOST_BYTES = 256 * 1024
const MOST_TOKENS = 100_000
/** Deepest nesting the language takes; checked exactly on the tree. */
export const MOST_DEPTH = 32
/** The scan counts keys and values of blocks as levels too: at most three for one. */
const MOST_SCANNED_DEPTH = MOST_DEPTH * 3

/** What is wrong with a text before it is parsed. */
export interface ScanProblem {
  readonly kind: 'too-large' | 'syntax'
  readonly offset: number
  readonly message: string
}

/**
 * Looks over a policy file token by token before anything is built from it, so that a file made to exhaust the parser
 * costs one linear pass. SECURITY: A24. Null when it may be parsed.
 */
export function scanYaml(text: string): ScanProblem | null {
  if (text.length > MOST_BYTES || new TextEncoder().encode(text).length > MOST_BYTES)
    return { kind: 'too-large', offset: 0, message: 'the file is larger than 256 KiB; split it into policy.d' }
  return scanCharacters(text) ?? scanTokens(text)
}

/** What the eye cannot see must not decide: a zero-width character in a name makes a deny that never matches. */
function scanCharacters(text: string): ScanProblem | null {
  const found = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u.exec(text)
  if (found === null) return null
  const point = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return {
    kind: 'syntax',
    offset: found.index,
    message: `invisible character U+${point}; remove it, or write it as an escape in double quotes`,
  }
}

function scanTokens(text: string): ScanProblem | null {
  let offset = 0
  let lineStart = 0
  let tokens = 0
  let flows = 0
  const blocks: number[] = []
  for (const source of new Lexer().lex(text)) {
    const type = CST.tokenType(source)
    const refused = type === null ? undefined : REFUSED[type]
    if (refused !== undefined) return { kind: 'syntax', offset, message: refused }
    if (type === 'flow-seq-start' || type === 'flow-map-start') flows += 1
    else if (type === 'flow-seq-end' || type === 'flow-map-end') flows -= 1
    else if (flows <= 0 && type !== null && OPENS_BLOCK.has(type)) {
      const column = offset - lineStart
      while ((blocks.at(-1) ?? -1) >= column) blocks.pop()
      blocks.push(column)
    }
    tokens += 1
    if (blocks.length + flows > MOST_SCANNED_DEPTH)
      return { kind: 'too-large', offset, message: `nested deeper than ${MOST_DEPTH} levels` }
    if (tokens > MOST_TOKENS)
      return { kind: 'too-large', offset, message: 'the file has too many parts; split it into policy.d' }
    if (WIDTHLESS.has(source)) continue
    offset += source.length
    const newline = source.lastIndexOf('\n')
    if (newline !== -1) lineStart = offset - (source.length - newline - 1)
  }
  return null
}

/** Marks the lexer puts between tokens; they stand for no text (real control characters were refused before). */
const WIDTHLESS: ReadonlySet<string> = new Set(['\u0002', '\u0018', '\u001f'])

const OPENS_BLOCK: ReadonlySet<string> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind', 'scalar'])

const REFUSED: Readonly<Record<string, string>> = {
  anchor: 'anchors (`&name`) are not part of the policy language; write the value out',
  alias: 'aliases (`*name`) are not part of the policy language; put a text that starts with `*` in quotes',
  tag: 'tags (`!name`) are not part of the policy language; put a text that starts with `!` in quotes',
  'directive-line': 'directives (`%…`) are not part of the policy language',
  'doc-end': 'a policy file is one document; remove `...`',
}
