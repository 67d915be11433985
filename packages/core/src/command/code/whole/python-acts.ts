import { VARIABLES } from '../../../knowledge/compiled/commands.ts'
import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import { UnclearCode } from './javascript-tokens.ts'
import { KNOWN, PREFIXES } from './python-base.ts'
import { argumentRanges, pathAt } from './python-paths.ts'
import { PlaceReader } from './python-places.ts'
import { pathEffect } from './understanding.ts'

/** Reads the uses of Python's own modules, and of `open`. */
export class ActReader extends PlaceReader {
  /** The use of a module of Python, or of a member of one. */
  protected use(at: number, start: string): void {
    const tokens = this.tokens
    let name = start
    let end = at
    while (!KNOWN.has(name) && !this.isHarmless(name)) {
      if (!PREFIXES.has(name) || !this.is(end + 1, '.') || tokens[end + 2]?.kind !== 'name') this.fail(at, name)
      name = `${name}.${tokens[end + 2]?.text}`
      end += 2
    }
    this.finish(at, end + 1)
    this.place(name, at, end)
    if (name === 'sys.argv') this.usesArguments = true
    const after = tokens[end + 1]
    const isAssigned = after?.kind === 'sign' && /^(?:=|:=|[-+*/%&|^@]=|\/\/=|\*\*=|<<=|>>=)$/.test(after.text)
    const isDeleted = this.is(at - 1, 'del', 'name')
    if ((isAssigned && end > at) || isDeleted) this.fail(at, name)
    // A harmless member may be bound again under its short name: the new value is one of the code's own.
    if (this.isHarmless(name)) return
    if (isAssigned) this.fail(at, name)
    this.act(name, at, end + 1)
  }

  protected known(range: readonly [number, number] | undefined, verb: string): string {
    const path = range === undefined ? null : pathAt(this.code, range)
    if (path === null) throw new UnclearCode(`${verb} files with computed names`)
    return path
  }

  protected act(name: string, at: number, open: number): void {
    if (name === 'os.environ') {
      this.environment(at, open)
      return
    }
    if (!this.is(open, '(')) this.fail(at, name)
    const ranges = argumentRanges(this.code, open)
    const [first, second] = ranges
    if (name === 'os.getenv') {
      this.variable(first, at)
      return
    }
    if (name === 'pathlib.Path') {
      this.path(at, open)
      return
    }
    if (name === 'unittest.main') {
      if (ranges.some(([from]) => !this.is(from, 'verbosity', 'name') && !this.is(from, 'exit', 'name')))
        this.fail(at, name)
      this.takesModules = true
    } else if (name === 'sys.path.insert') {
      // Only before the folders of installed modules, which may have other modules of the same names.
      if (first === undefined || !/^[01]$/.test(this.tokens[first[0]]?.text ?? '')) this.fail(at, name)
      this.folders.push(this.known(second, 'loads modules from'))
    } else if (ranges.some((range, index) => !this.isPlainArgument(range, name, index))) this.fail(at, name)
    else if (PYTHON.reads.has(name)) this.effects.push(pathEffect('read', this.known(first, 'reads')))
    else if (PYTHON.folders.has(name))
      this.effects.push({ ...pathEffect('write', this.known(first, 'writes')), folder: true })
    else if (PYTHON.deletes.has(name)) this.effects.push(pathEffect('delete', this.known(first, 'deletes')))
    else if (PYTHON.copies.has(name))
      this.effects.push(pathEffect('copy', this.known(first, 'reads'), this.known(second, 'writes')))
    else this.start(at, name, first)
  }

  /** A positional argument, or a named one that changes nothing: `check=True`. */
  protected isPlainArgument([from, to]: readonly [number, number], name: string, index: number): boolean {
    const token = this.tokens[from]
    if (token?.kind === 'sign' && (token.text === '*' || token.text === '**')) return false
    // The third argument of a call that starts a program is another program.
    if (!this.is(from + 1, '=')) return index === 0 || !PYTHON.programs.has(name)
    const value = this.tokens[from + 2]
    const isLiteral = to === from + 3 && (value?.kind === 'number' || /^(?:True|False)$/.test(value?.text ?? ''))
    const names = PYTHON.programs.has(name)
      ? /^(?:check|capture_output|text|timeout|universal_newlines)$/
      : /^(?:exist_ok|parents|mode|topdown)$/
    return isLiteral && names.test(token?.text ?? '')
  }

  /** `subprocess.run(['git', 'status'])`. */
  protected start(at: number, name: string, first: readonly [number, number] | undefined): void {
    if (first === undefined || !this.is(first[0], '[') || this.code.partner.get(first[0]) !== first[1] - 1)
      this.fail(at, name)
    const words = argumentRanges(this.code, first[0]).map(([from, to]) => {
      const token = this.tokens[from]
      return token?.kind === 'string' && token.plain && to === from + 1 ? token.text : this.fail(at, name)
    })
    if (words.length === 0) this.fail(at, name)
    this.effects.push({ kind: 'run', run: { kind: 'words', words }, paths: [] })
  }

  protected open(at: number): void {
    if (!this.is(at + 1, '(') || /^(?:def|class)$/.test(this.tokens[at - 1]?.text ?? '')) this.fail(at)
    const ranges = argumentRanges(this.code, at + 1)
    const [first] = ranges
    let mode = 'r'
    for (const [index, [from, to]] of ranges.entries()) {
      const isNamed = this.is(from + 1, '=')
      const value = this.tokens[isNamed ? from + 2 : from]
      const isOne = to === from + (isNamed ? 3 : 1)
      if (index === 0 && !isNamed) continue
      const isMode = isNamed ? this.is(from, 'mode', 'name') : index === 1
      const isOther = isNamed && /^(?:encoding|errors|newline)$/.test(this.tokens[from]?.text ?? '')
      if (isMode && isOne && value?.kind === 'string' && value.plain && /^[rwaxbt+]{1,3}$/.test(value.text))
        mode = value.text
      else if (!isOther || !isOne) this.fail(at)
    }
    // Standard input.
    if (first !== undefined && this.is(first[0], '0', 'number') && first[1] === first[0] + 1 && mode[0] === 'r') return
    const isWrite = /[wax+]/.test(mode)
    this.effects.push(pathEffect(isWrite ? 'write' : 'read', this.known(first, isWrite ? 'writes' : 'reads')))
  }

  /** `Path('notes.txt').read_text()`: the path is used at once. `Path(__file__).parent` belongs to a path. */
  protected path(at: number, open: number): void {
    const { partner } = this.code
    const close = partner.get(open) ?? open
    let end = close + 1
    const words = (from: number) =>
      this.tokens
        .slice(from, from + 2)
        .map(({ text }) => text)
        .join('')
    while (words(end) === '.parent' || /^\.(?:resolve|absolute)$/.test(words(end))) {
      if (words(end) === '.parent') end += 2
      else if (this.is(end + 2, '(') && this.is(end + 3, ')')) end += 4
      else this.fail(at, 'Path')
    }
    // Inside `str(…)` it is text.
    const start = this.startOf(at)
    if (this.is(start - 1, '(') && this.is(start - 2, 'str', 'name') && this.is(end, ')')) return
    const method = this.tokens[end + 1]?.text ?? ''
    if (!this.is(end, '.') || !this.is(end + 2, '(')) this.fail(at, 'Path')
    const path = this.known([start, end], 'reads or writes')
    if (PYTHON.pathReads.has(method)) {
      if (method === 'iterdir') this.fail(at, 'Path')
      this.effects.push(pathEffect('read', path))
    } else if (PYTHON.pathWrites.has(method)) this.effects.push(pathEffect('write', path))
    else if (method === 'mkdir') this.effects.push({ ...pathEffect('write', path), folder: true })
    else this.fail(at, 'Path')
  }

  protected startOf(at: number): number {
    let start = at
    while (this.is(start - 1, '.')) start -= 2
    return start
  }

  /** `os.environ.get('CI')`, `os.environ['CI']`. */
  protected environment(at: number, next: number): void {
    const isMethod = this.is(next, '.') && this.is(next + 1, 'get', 'name') && this.is(next + 2, '(')
    const open = isMethod ? next + 2 : next
    if (!isMethod && !this.is(open, '[')) throw new UnclearCode('reads environment variables')
    const [first, ...more] = argumentRanges(this.code, open)
    if (!isMethod && more.length > 0) this.fail(at, 'os.environ')
    this.variable(first, at)
    if (!isMethod && this.isTarget(at, this.code.partner.get(open) ?? open)) this.fail(at, 'os.environ')
    if (this.is(at - 1, 'del', 'name')) this.fail(at, 'os.environ')
  }

  protected variable(range: readonly [number, number] | undefined, at: number): void {
    const token = range === undefined ? undefined : this.tokens[range[0]]
    const isLiteral = range !== undefined && range[1] === range[0] + 1 && token?.kind === 'string' && token.plain
    const name = isLiteral ? token.text : ''
    if (!VARIABLES.harmless.has(name) && !VARIABLES.public.has(name))
      throw new UnclearCode('reads environment variables')
    if (this.is(at - 1, 'del', 'name')) this.fail(at)
  }
}
