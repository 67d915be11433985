import { UnclearCode } from './javascript-tokens.ts'

/** A token of Python. A formatted string becomes `f(` … `f)` with its code between commas. */
export interface PythonToken {
  readonly kind: 'name' | 'string' | 'number' | 'sign' | 'end'
  readonly text: string
  readonly line: number
  /** Of a string: its text is its value, without escapes. */
  readonly plain: boolean
}

const SIGNS = [
  ...['...', '**=', '//=', '>>=', '<<=', ':=', '->', '==', '!=', '<=', '>=', '+=', '-=', '*=', '/=', '%=', '&=', '|='],
  ...['^=', '@=', '**', '//', '<<', '>>', ...'+-*/%@&|^~<>()[]{},:;.=!'.split('')],
]
const NUMBER = /^(?:0[xX][\da-fA-F_]+|0[bBoO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?[\d_]+)?[jJ]?)/
const PREFIX = /^(?:[rRuUbBfF]|[rR][bBfF]|[bBfF][rR])$/
const MAX_NESTING = 4

/** Splits Python into tokens. Throws `UnclearCode` where versions of Python could read it in two ways. */
export function pythonTokens(source: string, depth = 0, firstLine = 1): readonly PythonToken[] {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source
  if (/\r(?!\n)|[\0\f\v]/.test(text)) throw new UnclearCode('has unusual line endings')
  for (const line of text.split('\n', 2)) {
    const coding = /^[ \t]*#.*?coding[:=][ \t]*([-\w.]+)/.exec(line)?.[1]
    if (coding !== undefined && !/^utf-?8$/i.test(coding)) throw new UnclearCode('is written in an unusual encoding')
  }
  if (depth > MAX_NESTING) throw new UnclearCode('is nested too deeply')
  const tokens: PythonToken[] = []
  let line = firstLine
  let open = 0
  const push = (kind: PythonToken['kind'], value: string, plain = true) =>
    tokens.push({ kind, text: value, line, plain })
  for (let at = 0; at < text.length; ) {
    const char = text[at] ?? ''
    if (char === '\n') {
      if (open === 0) push('end', '\n')
      line++
      at++
    } else if (char === ' ' || char === '\t' || char === '\r') at++
    else if (char === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else if (char === '\\' && /^\\\r?\n/.test(text.slice(at, at + 3))) {
      at = text.indexOf('\n', at) + 1
      line++
    } else if (/[A-Za-z_]/.test(char)) {
      const word = /^\w+/.exec(text.slice(at, at + 256))?.[0] ?? char
      const quote = text[at + word.length] ?? ''
      if ((quote === '"' || quote === "'") && PREFIX.test(word)) {
        const read = readString(text, at + word.length, word.toLowerCase(), line)
        tokens.push(...stringTokens(read, word.toLowerCase(), depth, line))
        line += read.lines
        at = read.end
      } else {
        if (quote === '"' || quote === "'") throw new UnclearCode(`line ${line} has an unusual string`)
        if (word.length >= 256) throw new UnclearCode(`line ${line} has a long name`)
        push('name', word)
        at += word.length
      }
    } else if (char === '"' || char === "'") {
      const read = readString(text, at, '', line)
      tokens.push(...stringTokens(read, '', depth, line))
      line += read.lines
      at = read.end
    } else if (/\d/.test(char) || (char === '.' && /\d/.test(text[at + 1] ?? ''))) {
      const number = NUMBER.exec(text.slice(at, at + 128))?.[0] ?? ''
      if (number === '' || /\w/.test(text[at + number.length] ?? ''))
        throw new UnclearCode(`line ${line} has an unusual number`)
      push('number', number)
      at += number.length
    } else {
      const sign = SIGNS.find((one) => text.startsWith(one, at))
      if (sign === undefined) throw new UnclearCode(`line ${line} has an unusual character`)
      if (/^[([{]$/.test(sign)) open++
      else if (/^[)\]}]$/.test(sign)) open--
      if (open < 0) throw new UnclearCode(`line ${line} has an unexpected bracket`)
      push('sign', sign)
      at += sign.length
    }
  }
  if (open > 0) throw new UnclearCode('has an open bracket')
  push('end', '\n')
  return tokens
}

interface ReadString {
  readonly inside: string
  readonly end: number
  readonly lines: number
}

function readString(text: string, at: number, prefix: string, line: number): ReadString {
  const quote = text[at] ?? ''
  const mark = text.startsWith(quote.repeat(3), at) ? quote.repeat(3) : quote
  const start = at + mark.length
  let end = start
  while (!text.startsWith(mark, end)) {
    if (end >= text.length || (mark.length === 1 && text[end] === '\n'))
      throw new UnclearCode(`line ${line} has an open string`)
    end += text[end] === '\\' ? 2 : 1
  }
  const inside = text.slice(start, end)
  if (prefix.includes('f') && /\\N\{/.test(inside)) throw new UnclearCode(`line ${line} has an unusual string`)
  return { inside, end: end + mark.length, lines: inside.split('\n').length - 1 }
}

function stringTokens({ inside }: ReadString, prefix: string, depth: number, line: number): readonly PythonToken[] {
  const isPlain = prefix.includes('r') || !inside.includes('\\')
  if (!prefix.includes('f')) return [{ kind: 'string', text: inside, line, plain: isPlain && !prefix.includes('b') }]
  const tokens: PythonToken[] = [{ kind: 'sign', text: 'f(', line, plain: true }]
  fields(inside, depth, line, tokens, false)
  tokens.push({ kind: 'sign', text: 'f)', line, plain: true })
  return tokens
}

/** The code between the braces of a formatted string. */
function fields(inside: string, depth: number, line: number, tokens: PythonToken[], isSpec: boolean): void {
  for (let at = 0; at < inside.length; at++) {
    const char = inside[at]
    if (!isSpec && (inside.startsWith('{{', at) || inside.startsWith('}}', at))) at++
    else if (char === '}') throw new UnclearCode(`line ${line} has an unusual string`)
    else if (char === '{') {
      const field = readField(inside, at + 1, line)
      if (/[\\#]/.test(field.code)) throw new UnclearCode(`line ${line} has an unusual string`)
      const code = field.code.replace(/=?\s*(?:![rsa])?\s*$/, '')
      tokens.push(...pythonTokens(`(${code}\n)`, depth + 1, line).filter(({ kind }) => kind !== 'end'))
      tokens.push({ kind: 'sign', text: ',', line, plain: true })
      if (field.spec !== '') fields(field.spec, depth + 1, line, tokens, true)
      at = field.end
    }
  }
}

/** Reads a field from after its brace: its code, and its format after a colon. */
function readField(inside: string, from: number, line: number): { code: string; spec: string; end: number } {
  let depth = 0
  let colon: number | null = null
  for (let at = from; at < inside.length; at++) {
    const char = inside[at] ?? ''
    if (colon === null && (char === '"' || char === "'")) {
      const end = inside.indexOf(char, at + 1)
      if (end === -1 || inside.startsWith(char.repeat(3), at)) break
      at = end
    } else if (colon === null && depth === 0 && char === ':') colon = at
    else if (/[([{]/.test(char)) depth++
    else if (char === '}' && depth === 0)
      return { code: inside.slice(from, colon ?? at), spec: colon === null ? '' : inside.slice(colon + 1, at), end: at }
    else if (/[)\]}]/.test(char)) depth--
  }
  throw new UnclearCode(`line ${line} has an unusual string`)
}
