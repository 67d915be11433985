import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import { PythonState } from './python-base.ts'
import { argumentRanges } from './python-paths.ts'

const ASSIGNS = /^(?:=|:=|[-+*/%&|^@]=|\/\/=|\*\*=|<<=|>>=)$/
const TYPES = /^(?:int|str|float|list|dict|tuple|set|bool|bytes)$/
const PRINTS = /^(?:print|str|repr|isinstance)$/

/**
 * Checks names that are harmless only in some places. SECURITY: Python makes code of the names of a class's fields, and some
 * of its functions take the name of any member as text.
 */
export class PlaceReader extends PythonState {
  /** A member of a module of Python, from its first to its last token. */
  protected place(name: string, at: number, end: number): void {
    const isFree =
      (!PYTHON.classDecorators.has(name) || this.isClassDecorator(at, end)) &&
      (!PYTHON.wrappers.has(name) || this.isWrapper(end)) &&
      (!PYTHON.bases.has(name) || this.isBase(at)) &&
      (!PYTHON.metaclasses.has(name) || (this.is(at - 1, '=') && this.is(at - 2, 'metaclass', 'name'))) &&
      (!PYTHON.plainCalls.has(name) || this.isPlainCall(end + 1))
    if (!isFree || (end > at && this.isTarget(at, end))) this.fail(at, name)
  }

  /**
   * Whether a member may be assigned: `a.b = 1`, `a.b, c = 1, 2`, `for a.b in c`, `with c as a.b`. Another value would be used
   * by Python itself.
   */
  protected isTarget(at: number, end: number): boolean {
    const after = this.tokens[end + 1]
    if (after?.kind === 'sign' && ASSIGNS.test(after.text)) return true
    const isOpen = after?.kind === 'name' ? after.text === 'in' : /^[,)\]:]$/.test(after?.text ?? '')
    if (!isOpen) return false
    let depth = 0
    let hasIn = false
    for (let one = at - 1; one >= 0 && this.tokens[one]?.kind !== 'end'; one--) {
      const { kind, text } = this.tokens[one] ?? { kind: 'end', text: '' }
      if (kind === 'name' && text === 'in') hasIn = true
      if (kind === 'name' && (text === 'as' || (text === 'for' && !hasIn))) return true
      if (kind === 'sign' && /^(?:[([{]|f\()$/.test(text)) depth++
      else if (kind === 'sign' && /^(?:[)\]}]|f\))$/.test(text)) depth--
    }
    for (let one = end + 1; one < this.tokens.length && this.tokens[one]?.kind !== 'end'; one++) {
      const { kind, text } = this.tokens[one] ?? { kind: 'end', text: '' }
      if (kind !== 'sign') continue
      if (depth === 0 && text === ';') return false
      if (depth <= 0 && text === '=') return true
      if (/^(?:[([{]|f\()$/.test(text)) depth++
      else if (/^(?:[)\]}]|f\))$/.test(text)) depth--
    }
    return false
  }

  /** `@dataclass` or `@dataclass(frozen=True)` on a class without bases, whose fields are the names in its body. */
  protected isClassDecorator(at: number, end: number): boolean {
    let next = end + 1
    if (this.is(next, '(')) {
      const isNamed = argumentRanges(this.code, next).every(
        ([from, to]) =>
          to === from + 3 && this.is(from + 1, '=') && /^(?:True|False)$/.test(this.tokens[from + 2]?.text ?? ''),
      )
      if (!isNamed) return false
      next = (this.code.partner.get(next) ?? next) + 1
    }
    if (!this.is(at - 1, '@') || this.tokens[next]?.kind !== 'end') return false
    while (this.tokens[next]?.kind === 'end') next++
    return this.is(next, 'class', 'name') && this.is(next + 2, ':')
  }

  /** `@wraps(f)` */
  protected isWrapper(end: number): boolean {
    return this.is(end + 1, '(') && this.tokens[end + 2]?.kind === 'name' && this.is(end + 3, ')')
  }

  /** `class Color(Enum):` */
  protected isBase(at: number): boolean {
    let open = at - 1
    for (; open >= 0 && !this.is(open, '('); open--)
      if (this.tokens[open]?.kind !== 'name' && !/^[,.]$/.test(this.tokens[open]?.text ?? '')) return false
    return this.is(open - 2, 'class', 'name')
  }

  /** Only arguments by their places. */
  protected isPlainCall(open: number): boolean {
    return (
      this.is(open, '(') &&
      argumentRanges(this.code, open).every(
        ([from]) => !this.is(from, '*') && !this.is(from, '**') && !this.is(from + 1, '='),
      )
    )
  }

  /** `type(x).__name__`, `type(x) is int`, `print(type(x))`: a type by itself makes classes with members of any name. */
  protected typeOf(at: number): void {
    const close = this.is(at + 1, '(') ? (this.code.partner.get(at + 1) ?? null) : null
    if (close === null || argumentRanges(this.code, at + 1).length !== 1) this.fail(at)
    const [before, after] = [this.tokens[at - 1], this.tokens[close + 1]]
    const isNamed = this.is(close + 1, '.') && this.is(close + 2, '__name__', 'name')
    // `is` calls nothing; `==` would hand the type to a method of the other value.
    const other = this.tokens[close + 2]?.text ?? ''
    const isEqual = /^(?:==|!=)$/.test(after?.text ?? '') && TYPES.test(other) && !this.isRebound(other)
    const isPlain = isEqual && !/^[([.]$/.test(this.tokens[close + 3]?.text ?? '')
    const isAfter = before?.text === 'is' || (before?.text === 'not' && this.is(at - 2, 'is', 'name'))
    const isCompared = isPlain || this.is(close + 1, 'is', 'name') || (isAfter && !/^[([.]$/.test(after?.text ?? ''))
    const shown = this.tokens[at - 2]?.text ?? ''
    const isShown =
      this.is(at - 1, '(') &&
      PRINTS.test(shown) &&
      !this.is(at - 3, '.') &&
      !this.isRebound(shown) &&
      /^[,)]$/.test(after?.text ?? '')
    if (!isNamed && !isCompared && !isShown) this.fail(at)
  }

  /** Whether a built-in name may mean something else here. */
  protected isRebound(name: string): boolean {
    return (
      this.declared.has(name) ||
      this.bound.has(name) ||
      this.members.has('*') ||
      this.tokens.some(({ kind, text }) => kind === 'name' && text === 'case')
    )
  }
}
