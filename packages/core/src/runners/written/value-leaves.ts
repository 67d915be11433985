import { isMap, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml'

/** A value of a settings file: its keys from the top, its text or words, and its line. */
export interface Leaf {
  readonly keys: readonly string[]
  readonly value: string | readonly string[]
  /** For words: a list as it is written, or a map that describes a program to start. */
  readonly shape?: 'list' | 'program'
  readonly line: number
}

/** INVARIANT: L10, values of one file; a file with more can't be read. */
const MAX_LEAVES = 20_000
const MAX_DEPTH = 32

/** The values of a file, flat; null if the text is not of the format. */
export function leavesOf(
  text: string,
  format: 'json' | 'yaml' | 'toml' | 'ini' | 'attributes',
): readonly Leaf[] | null {
  switch (format) {
    case 'json':
      return yamlLeaves(withoutComments(text))
    case 'yaml':
      return yamlLeaves(text)
    case 'toml':
    case 'ini':
      return lineLeaves(text, format)
    case 'attributes':
      return attributeLeaves(text)
  }
}

/** JSON is YAML, once its comments are blanked out. */
function yamlLeaves(text: string): readonly Leaf[] | null {
  const lines = new LineCounter()
  try {
    const leaves: Leaf[] = []
    const documents = parseAllDocuments(text, {
      lineCounter: lines,
      uniqueKeys: false,
      logLevel: 'silent',
      schema: 'core',
    })
    for (const document of documents) {
      if (document.errors.length > 0) return null
      collect(document.contents, [], leaves, lines)
    }
    return leaves.length > MAX_LEAVES ? null : leaves
  } catch {
    return null
  }
}

function collect(node: unknown, keys: readonly string[], leaves: Leaf[], lines: LineCounter): void {
  if (leaves.length > MAX_LEAVES || keys.length > MAX_DEPTH) throw new RangeError('too many values')
  if (isScalar(node)) {
    if (node.value !== null) leaves.push({ keys, value: String(node.value), line: lineOf(node, lines) })
    return
  }
  if (isMap(node)) {
    const program = programOf(node)
    if (program !== null) leaves.push({ keys, value: program, shape: 'program', line: lineOf(node, lines) })
    for (const { key, value } of node.items)
      collect(value, [...keys, isScalar(key) ? String(key.value) : '?'], leaves, lines)
    return
  }
  if (!isSeq(node)) return
  const words = wordsOf(node)
  if (words !== null) leaves.push({ keys, value: words, shape: 'list', line: lineOf(node, lines) })
  for (const [at, item] of node.items.entries()) collect(item, [...keys, String(at)], leaves, lines)
}

/** A map that describes a program to start: `{ command: npx, args: [-y, x] }`. */
function programOf(node: unknown): readonly string[] | null {
  if (!isMap(node)) return null
  const command = ['command', 'program', 'cmd', 'exec']
    .map((name) => node.get(name))
    .find((one) => typeof one === 'string')
  if (typeof command !== 'string') return null
  const args = node.get('args', true)
  const words = isSeq(args) ? wordsOf(args) : []
  return words === null ? null : [command, ...words]
}

function wordsOf(node: unknown): readonly string[] | null {
  if (!isSeq(node) || node.items.length === 0) return null
  const words = node.items.map((item) => (isScalar(item) && typeof item.value === 'string' ? item.value : null))
  return words.every((word) => word !== null) ? words : null
}

function lineOf(node: { readonly range?: readonly number[] | null }, lines: LineCounter): number {
  return lines.linePos(node.range?.[0] ?? 0).line
}

/** Blanks out the comments of JSON, so that every position stays the same. */
function withoutComments(text: string): string {
  return text.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replace(/[^\n]/g, ' '),
  )
}

const SECTION = /^\s*\[+\s*([^\]]+?)\s*\]+/
const ASSIGNMENT = /^\s*("[^"]*"|'[^']*'|[\w.*/@:-]+(?:\s[\w]+)?)\s*(?:=\s*(.*))?$/

/** Sections with `key = value` lines: git’s settings, `.npmrc`, units of systemd, and TOML as far as people write it. */
function lineLeaves(text: string, format: 'toml' | 'ini'): readonly Leaf[] | null {
  const leaves: Leaf[] = []
  let section: readonly string[] = []
  const lines = text.split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1
    let current = lines[at] ?? ''
    if (/^\s*(?:[#;].*)?$/.test(current)) continue
    const heading = SECTION.exec(current)
    if (heading !== null) {
      section = sectionKeys(heading[1] ?? '')
      continue
    }
    // A value goes on after a backslash, and in TOML until its bracket or quotes are closed.
    while ((current.endsWith('\\') || (format === 'toml' && isOpen(current))) && at + 1 < lines.length)
      current = `${current.replace(/\\$/, '')}\n${lines[++at] ?? ''}`
    const [, key = '', value = 'true'] = ASSIGNMENT.exec(current.replaceAll('\n', ' ')) ?? []
    if (key === '' || leaves.length > MAX_LEAVES) return null
    leaves.push({ keys: [...section, ...keyWords(key, format)], value: plainValue(value), line })
  }
  return leaves
}

/** `a "b"` and `a.b` are the keys a and b. */
function sectionKeys(text: string): readonly string[] {
  const found = /^([\w.-]+)\s+"((?:[^"\\]|\\.)*)"$/.exec(text)
  return found === null ? keyWords(text, 'toml') : [found[1] ?? '', found[2] ?? '']
}

function keyWords(text: string, format: 'toml' | 'ini'): readonly string[] {
  if (format === 'ini') return [text.trim()]
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|[^."'\s]+/g)].map(([all, double, single]) => double ?? single ?? all)
}

function isOpen(line: string): boolean {
  const value = line.slice(line.indexOf('=') + 1)
  for (const quotes of ['"""', "'''"]) if (value.split(quotes).length === 2) return true
  const bare = value.replace(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '')
  return bare.split('[').length > bare.split(']').length || bare.split('{').length > bare.split('}').length
}

/** A quoted text without its quotes, a list as words. */
function plainValue(text: string): string | readonly string[] {
  const value = text.trim()
  if (value.startsWith('[')) {
    const words = [...value.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
      ([, double, single]) => double ?? single ?? '',
    )
    return words.length === 0 ? value : words
  }
  return value.replace(/^("""|'''|"|')([\s\S]*?)\1(?:\s*[#;].*)?$/, '$2').replaceAll('\\"', '"')
}

/** The attributes that lines of `.gitattributes` set. */
function attributeLeaves(text: string): readonly Leaf[] {
  return text.split('\n').flatMap((line, at) => {
    const words = line.trim().split(/\s+/)
    if (line.trim().startsWith('#')) return []
    return words.slice(1).flatMap((word): Leaf[] => {
      const [name = '', value] = word.split('=', 2)
      return value === undefined ? [] : [{ keys: [name], value, line: at + 1 }]
    })
  })
}
