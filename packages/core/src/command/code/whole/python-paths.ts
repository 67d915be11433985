import type { PythonToken } from './python-tokens.ts'

/** The tokens of a module, with what is needed to read expressions in it. */
export interface PythonCode {
  readonly tokens: readonly PythonToken[]
  /** By the index of a bracket, that of its partner. */
  readonly partner: ReadonlyMap<number, number>
  /** What a name stands for everywhere in the module: `os`, `os.path.dirname`. */
  readonly steady: ReadonlyMap<string, string>
  /** The path of the file. Null for code that is given on the command line. */
  readonly file: string | null
}

type Range = readonly [from: number, to: number]

const MAX_DEPTH = 8

/** The arguments of a call as ranges of tokens, from its open parenthesis. */
export function argumentRanges({ tokens, partner }: PythonCode, open: number): readonly Range[] {
  const close = partner.get(open) ?? open
  const ranges: Range[] = []
  let from = open + 1
  for (let at = from; at <= close; at++) {
    const inner = partner.get(at)
    if (at === close || (tokens[at]?.kind === 'sign' && tokens[at]?.text === ',')) {
      if (at > from) ranges.push([from, at])
      from = at + 1
    } else if (inner !== undefined && inner > at) at = inner
  }
  return ranges
}

/** The path that an expression names: a literal, or one that starts at `__file__`. Null if it is computed. */
export function pathAt(code: PythonCode, [from, to]: Range, depth = 0): string | null {
  const { tokens, partner, file } = code
  const first = tokens[from]
  if (first === undefined || to <= from || depth > MAX_DEPTH) return null
  const within = (range: Range) => pathAt(code, range, depth + 1)
  if (to === from + 1) {
    if (first.kind === 'string')
      return first.plain && first.text !== '' && !first.text.includes('\0') ? first.text : null
    return first.kind === 'name' && first.text === '__file__' ? file : null
  }
  const open = tokens.findIndex((token, at) => at >= from && at < to && token.kind === 'sign' && token.text === '(')
  if (open === -1) return null
  const close = partner.get(open) ?? -1
  const name = steadyName(code, from, open)
  const ranges = argumentRanges(code, open)
  if (name === null || close === -1 || close >= to) return null
  if (name === 'pathlib.Path') {
    const parts = ranges.map(within)
    const start = parts.length === 1 ? (parts[0] ?? null) : null
    return start === null ? null : parents(code, start, close + 1, to)
  }
  if (close !== to - 1 || ranges.length === 0) return null
  const paths = ranges.map(within)
  const known = paths.filter((path) => path !== null)
  if (known.length < paths.length) return null
  const [one = ''] = known
  switch (name) {
    case 'os.path.dirname':
      return known.length === 1 ? parentOf(one) : null
    case 'os.path.abspath':
    case 'os.path.realpath':
    case 'os.path.normpath':
    case 'str':
      return known.length === 1 ? one : null
    case 'os.path.join':
      return known.slice(1).some((part) => part.startsWith('/')) ? null : known.join('/')
    default:
      return null
  }
}

/** `.resolve().parent.parent` after a path. */
function parents({ tokens }: PythonCode, start: string, from: number, to: number): string | null {
  let path: string | null = start
  for (let at = from; at < to && path !== null; ) {
    const words = tokens.slice(at, at + 4).map(({ text }) => text)
    if (words[0] !== '.') return null
    if (words[1] === 'parent') {
      path = parentOf(path)
      at += 2
    } else if (/^(?:resolve|absolute)$/.test(words[1] ?? '') && words[2] === '(' && words[3] === ')') at += 4
    else return null
  }
  return path
}

/** Only of an absolute path: the parent of `x` depends on the working folder. */
function parentOf(path: string): string | null {
  const slash = path.lastIndexOf('/')
  if (!path.startsWith('/') || slash <= 0 || /(?:^|\/)\.{0,2}(?:\/|$)/.test(path.slice(1))) return null
  return path.slice(0, slash)
}

/** The dotted name in a range, by what its first part stands for. */
function steadyName({ tokens, steady }: PythonCode, from: number, to: number): string | null {
  const words = tokens.slice(from, to)
  if (words.some(({ kind, text }, at) => (at % 2 === 0 ? kind !== 'name' : kind !== 'sign' || text !== '.')))
    return null
  const [root = '', ...rest] = words.filter(({ kind }) => kind === 'name').map(({ text }) => text)
  const start = steady.get(root)
  return start === undefined || words.length % 2 === 0 ? null : [start, ...rest].join('.')
}
