import { VARIABLES } from '../../../knowledge/compiled/commands.ts'
import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import type { CodeEffect } from '../find-effects.ts'
import { UnclearCode } from './javascript-tokens.ts'
import { argumentRanges, type PythonCode, pathAt } from './python-paths.ts'
import { type PythonToken, pythonTokens } from './python-tokens.ts'
import { MAX_CODE, pathEffect } from './understanding.ts'

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield match case self cls'
  ).split(' '),
)
const EFFECTS = new Set(
  [PYTHON.reads, PYTHON.folders, PYTHON.deletes, PYTHON.copies, PYTHON.programs].flatMap((names) => [...names]),
)
const OTHERS = ['os.environ', 'os.getenv', 'pathlib.Path', 'sys.path.insert', 'sys.path.append', 'unittest.main']
const KNOWN = new Set([...PYTHON.harmless, ...EFFECTS, ...OTHERS])
const PREFIXES = new Set([...KNOWN, ...[...PYTHON.harmlessModules].map((name) => `${name}.x`)].flatMap(prefixes))

function prefixes(name: string): readonly string[] {
  const found: string[] = []
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) found.push(name.slice(0, dot))
  return found
}

/** A module that Python code loads. */
export interface PythonImport {
  /** The dotted name, with a dot before it for each level of a relative one. */
  readonly module: string
  /** Names that are taken from it, which may be modules in it. */
  readonly names: readonly string[]
}

/** Python that is understood whole, or why it is not. */
export type PythonUnderstanding =
  | {
      readonly kind: 'whole'
      readonly effects: readonly CodeEffect[]
      readonly imports: readonly PythonImport[]
      /** Folders that it adds to those that modules are loaded from. */
      readonly folders: readonly string[]
      /** Names of the module that lead to powers, which another module must not use. */
      readonly exposes: ReadonlySet<string>
      /** The members that it uses, and the names it takes from modules. */
      readonly members: ReadonlySet<string>
      /** Its arguments may name modules to load. */
      readonly takesModules: boolean
    }
  | { readonly kind: 'unclear'; readonly why: string }

/** Understands Python whole, or tells what in it is unclear. `file` is its path; null for code on the command line. */
export function understandPython(text: string, file: string | null): PythonUnderstanding {
  if (text.length > MAX_CODE) return { kind: 'unclear', why: 'is too long to analyze' }
  try {
    return new Reader(pythonTokens(text), file).run()
  } catch (error) {
    if (error instanceof UnclearCode) return { kind: 'unclear', why: error.message }
    throw error
  }
}

class Reader {
  readonly #tokens: readonly PythonToken[]
  readonly #code: PythonCode
  readonly #effects: CodeEffect[] = []
  readonly #imports: PythonImport[] = []
  readonly #folders: string[] = []
  readonly #exposes = new Set<string>()
  readonly #members = new Set<string>()
  /** What imported names stand for. */
  readonly #aliases = new Map<string, string>()
  readonly #bound = new Map<string, string>()
  readonly #declared = new Set<string>()
  readonly #done = new Set<number>()
  readonly #steady = new Map<string, string>()
  #takesModules = false

  constructor(tokens: readonly PythonToken[], file: string | null) {
    this.#tokens = tokens
    this.#code = { tokens, partner: partners(tokens), steady: this.#steady, file }
  }

  run(): PythonUnderstanding {
    const tokens = this.#tokens
    for (const [at, { kind, text }] of tokens.entries()) {
      if (kind !== 'name' || this.#done.has(at)) continue
      if (text === 'from') this.#from(at)
      else if (text === 'import') this.#import(at)
    }
    if (this.#bound.size > 200) throw new UnclearCode('is too long to analyze')
    for (const [name, target] of this.#aliases) if (this.#isSteady(name, target)) this.#steady.set(name, target)
    if (!this.#bound.has('str') && this.#isCalledOnly('str')) this.#steady.set('str', 'str')
    this.#declare()
    for (const [at, { kind }] of tokens.entries()) {
      if (kind === 'name' && !this.#done.has(at)) this.#name(at)
      if (this.#effects.length > 64) throw new UnclearCode('is too long to analyze')
    }
    return {
      kind: 'whole',
      effects: this.#effects,
      imports: this.#imports,
      folders: this.#folders,
      exposes: this.#exposes,
      members: this.#members,
      takesModules: this.#takesModules,
    }
  }

  #fail(at: number, what?: string): never {
    const token = this.#tokens[at]
    const shown = what ?? (/^[\w.]{1,60}$/.test(token?.text ?? '') ? token?.text : 'code')
    throw new UnclearCode(`uses \`${shown}\` on line ${token?.line ?? 1}, which is not known to be harmless`)
  }

  #is(at: number, text: string, kind = 'sign'): boolean {
    const token = this.#tokens[at]
    return token?.kind === kind && token.text === text
  }

  /** The dotted name from a token on, and where it ends. */
  #dotted(from: number): { readonly name: string; readonly end: number } {
    let at = from
    let name = this.#tokens[at]?.kind === 'name' ? (this.#tokens[at]?.text ?? '') : ''
    if (name === '') this.#fail(from)
    while (this.#is(at + 1, '.') && this.#tokens[at + 2]?.kind === 'name') {
      name += `.${this.#tokens[at + 2]?.text}`
      at += 2
    }
    return { name, end: at + 1 }
  }

  #finish(from: number, to: number): void {
    for (let at = from; at < to; at++) this.#done.add(at)
  }

  /** `import a.b as c, d`. */
  #import(at: number): void {
    let next = at + 1
    for (;;) {
      const { name, end } = this.#dotted(next)
      const isRenamed = this.#is(end, 'as', 'name')
      const local = isRenamed ? this.#dotted(end + 1).name : (name.split('.')[0] ?? name)
      const after = isRenamed ? end + 2 : end
      if (this.#isOwn(name, at)) {
        this.#imports.push({ module: name, names: [] })
        this.#bind(local, `project:${isRenamed ? name : local}`, at)
      } else {
        // Other parts of a module, such as `unittest.__main__`, may do something as soon as they are loaded.
        if (!PREFIXES.has(name)) this.#fail(at, name)
        this.#alias(local, isRenamed ? name : local, at)
      }
      this.#finish(at, after)
      if (!this.#is(after, ',')) return
      next = after + 1
    }
  }

  /** `from a import b as c`; null if the word is part of `raise … from` or `yield from`. */
  #from(at: number): void {
    let next = at + 1
    let dots = ''
    while (this.#is(next, '.') || this.#is(next, '...')) dots += this.#tokens[next++]?.text
    const { name, end } = this.#is(next, 'import', 'name') ? { name: '', end: next } : this.#tryDotted(next)
    if (!this.#is(end, 'import', 'name')) return
    const names: string[] = []
    const isGroup = this.#is(end + 1, '(')
    let one = end + (isGroup ? 2 : 1)
    const isOwn = dots !== '' || this.#isOwn(name, at)
    for (;;) {
      if (this.#is(one, '*')) {
        // What a module of Python brings is not listed.
        if (!isOwn) this.#fail(one, `${name}.*`)
        this.#members.add('*')
        one++
      } else {
        const member = this.#tokens[one]
        if (member?.kind !== 'name') this.#fail(one)
        const isRenamed = this.#is(one + 1, 'as', 'name')
        const local = isRenamed ? this.#dotted(one + 2).name : member.text
        this.#attribute(one)
        names.push(member.text)
        if (isOwn) this.#bind(local, `project:${dots}${name}.${member.text}`, one)
        else this.#alias(local, `${name}.${member.text}`, one)
        one += isRenamed ? 3 : 1
      }
      if (!this.#is(one, ',')) break
      one++
      if (isGroup && this.#is(one, ')')) break
    }
    this.#finish(at, one)
    if (isOwn) this.#imports.push({ module: dots + name, names })
  }

  #tryDotted(at: number): { readonly name: string; readonly end: number } {
    return this.#tokens[at]?.kind === 'name' ? this.#dotted(at) : { name: '', end: at }
  }

  /** Whether a module is not one of Python's. */
  #isOwn(name: string, at: number): boolean {
    const [root = ''] = name.split('.')
    if (/^_/.test(root) && root !== '__future__') this.#fail(at, name)
    return root !== '__future__' && !PYTHON.modules.has(root)
  }

  #bind(name: string, target: string, at: number): void {
    if (PYTHON.otherBuiltins.has(name) || (name.startsWith('__') && name.endsWith('__'))) this.#fail(at, name)
    const known = this.#bound.get(name)
    // A name with two meanings can't be followed.
    if (known !== undefined && known !== target) this.#fail(at, name)
    this.#bound.set(name, target)
  }

  /** A module of Python, or a member of one. */
  #alias(name: string, target: string, at: number): void {
    this.#bind(name, target, at)
    if (this.#isHarmless(target)) {
      this.#aliases.set(name, target)
      return
    }
    if (!KNOWN.has(target) && !PREFIXES.has(target)) this.#fail(at, target)
    this.#aliases.set(name, target)
    this.#exposes.add(name)
  }

  #isHarmless(name: string): boolean {
    if (PYTHON.harmless.has(name)) return true
    const dot = name.lastIndexOf('.')
    return dot !== -1 && PYTHON.harmlessModules.has(name.slice(0, dot)) && !name.slice(dot + 1).startsWith('_')
  }

  /** Whether every use of a harmless function calls it, so that the name is never bound again. */
  #isSteady(name: string, target: string): boolean {
    return PREFIXES.has(target) || !this.#isHarmless(target) || this.#isCalledOnly(name)
  }

  #isCalledOnly(name: string): boolean {
    return this.#tokens.every(
      ({ kind, text }, at) =>
        kind !== 'name' ||
        text !== name ||
        this.#done.has(at) ||
        this.#is(at - 1, '.') ||
        (this.#is(at + 1, '(') && !/^(?:def|class)$/.test(this.#tokens[at - 1]?.text ?? '')),
    )
  }

  /** Names in places where they may be bound. Too many is harmless: a name that nothing binds is an error when it runs. */
  #declare(): void {
    for (const [at, { kind, text }] of this.#tokens.entries()) {
      if (kind !== 'name') continue
      const [before, after] = [this.#tokens[at - 1], this.#tokens[at + 1]]
      const isAfter = before !== undefined && /^(?:def|class|as|for|global|nonlocal|lambda|\*|\*\*)$/.test(before.text)
      const isBefore = after?.kind === 'end' || /^(?:=|:=|,|\)|:|\]|in|->|;)$/.test(after?.text ?? '')
      if (isAfter || isBefore) this.#declared.add(text)
    }
  }

  #attribute(at: number): void {
    const text = this.#tokens[at]?.text ?? ''
    if (PYTHON.never.has(text)) this.#fail(at)
    if (text.startsWith('__') && text.endsWith('__') && text !== '__name__' && text !== '__doc__') {
      // `super().__init__(…)`
      const words = this.#tokens.slice(Math.max(0, at - 4), at).map((token) => token.text)
      if (text !== '__init__' || words.join('') !== 'super().') this.#fail(at)
    }
    this.#members.add(text)
  }

  #name(at: number): void {
    const tokens = this.#tokens
    const text = tokens[at]?.text ?? ''
    if (this.#is(at - 1, '.')) {
      this.#attribute(at)
      if (text === 'format') this.#format(at)
      return
    }
    if (PYTHON.never.has(text)) this.#fail(at)
    if (this.#is(at - 1, 'def', 'name') && !PYTHON.otherBuiltins.has(text) && !this.#aliases.has(text)) return
    if (text.startsWith('__') && text.endsWith('__')) return this.#dunder(at)
    if (KEYWORDS.has(text)) return
    const alias = this.#aliases.get(text)
    if (alias !== undefined) return this.#use(at, alias)
    if (text === 'open') return this.#open(at)
    if (PYTHON.otherBuiltins.has(text)) this.#fail(at)
    // A class pattern could take the method of a string by this name.
    if (text === 'format' && !this.#is(at + 1, '(')) this.#fail(at)
    const isKnown = PYTHON.builtins.has(text) || this.#bound.has(text) || this.#declared.has(text)
    if (!isKnown && !this.#members.has('*')) this.#fail(at)
  }

  #dunder(at: number): void {
    const text = this.#tokens[at]?.text ?? ''
    if (!PYTHON.dunders.has(text)) this.#fail(at)
    if (text === '__name__' || text === '__doc__') return this.#is(at + 1, '=') ? this.#fail(at) : undefined
    if (text !== '__file__') return
    // Only as an argument: it must not be bound again.
    const isCalled = this.#tokens[at - 2]?.kind === 'name' && !KEYWORDS.has(this.#tokens[at - 2]?.text ?? '')
    const isDefined = /^(?:def|class)$/.test(this.#tokens[at - 3]?.text ?? '')
    if (!this.#is(at - 1, '(') || !this.#is(at + 1, ')') || !isCalled || isDefined) this.#fail(at)
  }

  /** `'{}'.format(x)`: the text must not name members of its arguments. */
  #format(at: number): void {
    const text = this.#tokens[at - 2]
    const isAlone = this.#tokens[at - 3]?.kind !== 'string' && !this.#is(at - 3, 'f)')
    const isPlain = text?.kind === 'string' && text.plain && isAlone
    if (!isPlain || /\{[^{}:!]*[^\w{}:!][^{}]*[}:!]/.test(text.text) || text.text.includes('__')) this.#fail(at)
  }

  /** The use of a module of Python, or of a member of one. */
  #use(at: number, start: string): void {
    const tokens = this.#tokens
    let name = start
    let end = at
    while (!KNOWN.has(name) && !this.#isHarmless(name)) {
      if (!PREFIXES.has(name) || !this.#is(end + 1, '.') || tokens[end + 2]?.kind !== 'name') this.#fail(at, name)
      name = `${name}.${tokens[end + 2]?.text}`
      end += 2
    }
    this.#finish(at, end + 1)
    const after = tokens[end + 1]
    const isAssigned = after?.kind === 'sign' && /^(?:=|:=|[-+*/%&|^@]=|\/\/=|\*\*=|<<=|>>=)$/.test(after.text)
    const isDeleted = this.#is(at - 1, 'del', 'name')
    if ((isAssigned && end > at) || isDeleted) this.#fail(at, name)
    // A harmless member may be bound again under its short name: the new value is one of the code's own.
    if (this.#isHarmless(name)) return
    if (isAssigned) this.#fail(at, name)
    this.#act(name, at, end + 1)
  }

  #known(range: readonly [number, number] | undefined, verb: string): string {
    const path = range === undefined ? null : pathAt(this.#code, range)
    if (path === null) throw new UnclearCode(`${verb} files with computed names`)
    return path
  }

  #act(name: string, at: number, open: number): void {
    if (name === 'os.environ') return this.#environment(at, open)
    if (!this.#is(open, '(')) this.#fail(at, name)
    const ranges = argumentRanges(this.#code, open)
    const [first, second] = ranges
    if (name === 'os.getenv') return this.#variable(first, at)
    if (name === 'pathlib.Path') return this.#path(at, open)
    if (name === 'unittest.main') {
      if (ranges.some(([from]) => !this.#is(from, 'verbosity', 'name') && !this.#is(from, 'exit', 'name')))
        this.#fail(at, name)
      this.#takesModules = true
    } else if (name.startsWith('sys.path.')) {
      this.#folders.push(this.#known(name === 'sys.path.insert' ? second : first, 'loads modules from'))
    } else if (ranges.some((range) => !this.#isPlainArgument(range, name))) this.#fail(at, name)
    else if (PYTHON.reads.has(name)) this.#effects.push(pathEffect('read', this.#known(first, 'reads')))
    else if (PYTHON.folders.has(name))
      this.#effects.push({ ...pathEffect('write', this.#known(first, 'writes')), folder: true })
    else if (PYTHON.deletes.has(name)) this.#effects.push(pathEffect('delete', this.#known(first, 'deletes')))
    else if (PYTHON.copies.has(name))
      this.#effects.push(pathEffect('copy', this.#known(first, 'reads'), this.#known(second, 'writes')))
    else this.#start(at, name, first)
  }

  /** A positional argument, or a named one that changes nothing: `check=True`. */
  #isPlainArgument([from, to]: readonly [number, number], name: string): boolean {
    const token = this.#tokens[from]
    if (token?.kind === 'sign' && (token.text === '*' || token.text === '**')) return false
    if (!this.#is(from + 1, '=')) return true
    const value = this.#tokens[from + 2]
    const isLiteral = to === from + 3 && (value?.kind === 'number' || /^(?:True|False)$/.test(value?.text ?? ''))
    const names = PYTHON.programs.has(name)
      ? /^(?:check|capture_output|text|timeout|universal_newlines)$/
      : /^(?:exist_ok|parents|mode|topdown)$/
    return isLiteral && names.test(token?.text ?? '')
  }

  /** `subprocess.run(['git', 'status'])`. */
  #start(at: number, name: string, first: readonly [number, number] | undefined): void {
    if (first === undefined || !this.#is(first[0], '[') || this.#code.partner.get(first[0]) !== first[1] - 1)
      this.#fail(at, name)
    const words = argumentRanges(this.#code, first[0]).map(([from, to]) => {
      const token = this.#tokens[from]
      return token?.kind === 'string' && token.plain && to === from + 1 ? token.text : this.#fail(at, name)
    })
    if (words.length === 0) this.#fail(at, name)
    this.#effects.push({ kind: 'run', run: { kind: 'words', words }, paths: [] })
  }

  #open(at: number): void {
    if (!this.#is(at + 1, '(') || /^(?:def|class)$/.test(this.#tokens[at - 1]?.text ?? '')) this.#fail(at)
    const ranges = argumentRanges(this.#code, at + 1)
    const [first] = ranges
    let mode = 'r'
    for (const [index, [from, to]] of ranges.entries()) {
      const isNamed = this.#is(from + 1, '=')
      const value = this.#tokens[isNamed ? from + 2 : from]
      const isOne = to === from + (isNamed ? 3 : 1)
      if (index === 0 && !isNamed) continue
      const isMode = isNamed ? this.#is(from, 'mode', 'name') : index === 1
      const isOther = isNamed && /^(?:encoding|errors|newline)$/.test(this.#tokens[from]?.text ?? '')
      if (isMode && isOne && value?.kind === 'string' && value.plain && /^[rwaxbt+]{1,3}$/.test(value.text))
        mode = value.text
      else if (!isOther || !isOne) this.#fail(at)
    }
    // Standard input.
    if (first !== undefined && this.#is(first[0], '0', 'number') && first[1] === first[0] + 1 && mode[0] === 'r') return
    const isWrite = /[wax+]/.test(mode)
    this.#effects.push(pathEffect(isWrite ? 'write' : 'read', this.#known(first, isWrite ? 'writes' : 'reads')))
  }

  /** `Path('notes.txt').read_text()`: the path is used at once. `Path(__file__).parent` belongs to a path. */
  #path(at: number, open: number): void {
    const { partner } = this.#code
    const close = partner.get(open) ?? open
    let end = close + 1
    const words = (from: number) =>
      this.#tokens
        .slice(from, from + 2)
        .map(({ text }) => text)
        .join('')
    while (words(end) === '.parent' || /^\.(?:resolve|absolute)$/.test(words(end))) {
      if (words(end) === '.parent') end += 2
      else if (this.#is(end + 2, '(') && this.#is(end + 3, ')')) end += 4
      else this.#fail(at, 'Path')
    }
    // Inside `str(…)` it is text.
    const start = this.#startOf(at)
    if (this.#is(start - 1, '(') && this.#is(start - 2, 'str', 'name') && this.#is(end, ')')) return
    const method = this.#tokens[end + 1]?.text ?? ''
    if (!this.#is(end, '.') || !this.#is(end + 2, '(')) this.#fail(at, 'Path')
    const path = this.#known([start, end], 'reads or writes')
    if (PYTHON.pathReads.has(method)) {
      if (method === 'iterdir') this.#fail(at, 'Path')
      this.#effects.push(pathEffect('read', path))
    } else if (PYTHON.pathWrites.has(method)) this.#effects.push(pathEffect('write', path))
    else if (method === 'mkdir') this.#effects.push({ ...pathEffect('write', path), folder: true })
    else this.#fail(at, 'Path')
  }

  #startOf(at: number): number {
    let start = at
    while (this.#is(start - 1, '.')) start -= 2
    return start
  }

  /** `os.environ.get('CI')`, `os.environ['CI']`. */
  #environment(at: number, next: number): void {
    const isMethod = this.#is(next, '.') && this.#is(next + 1, 'get', 'name') && this.#is(next + 2, '(')
    const open = isMethod ? next + 2 : next
    if (!isMethod && !this.#is(open, '[')) throw new UnclearCode('reads environment variables')
    const [first, ...more] = argumentRanges(this.#code, open)
    if (!isMethod && more.length > 0) this.#fail(at, 'os.environ')
    this.#variable(first, at)
    const after = this.#tokens[(this.#code.partner.get(open) ?? open) + 1]
    if (!isMethod && after?.kind === 'sign' && after.text.endsWith('=') && !/^[=!<>]=$/.test(after.text))
      this.#fail(at, 'os.environ')
    if (this.#is(at - 1, 'del', 'name')) this.#fail(at, 'os.environ')
  }

  #variable(range: readonly [number, number] | undefined, at: number): void {
    const token = range === undefined ? undefined : this.#tokens[range[0]]
    const isLiteral = range !== undefined && range[1] === range[0] + 1 && token?.kind === 'string' && token.plain
    const name = isLiteral ? token.text : ''
    if (!VARIABLES.harmless.has(name) && !VARIABLES.public.has(name))
      throw new UnclearCode('reads environment variables')
    if (this.#is(at - 1, 'del', 'name')) this.#fail(at)
  }
}

const OPENS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', 'f(': 'f)' }

function partners(tokens: readonly PythonToken[]): ReadonlyMap<number, number> {
  const partner = new Map<number, number>()
  const open: number[] = []
  for (const [at, { kind, text, line }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if (OPENS[text] !== undefined) open.push(at)
    else if (/^(?:[)\]}]|f\))$/.test(text)) {
      const from = open.pop()
      if (from === undefined || OPENS[tokens[from]?.text ?? ''] !== text)
        throw new UnclearCode(`line ${line} has an unexpected bracket`)
      partner.set(from, at)
      partner.set(at, from)
    }
  }
  if (open.length > 0) throw new UnclearCode('has an open bracket')
  return partner
}
