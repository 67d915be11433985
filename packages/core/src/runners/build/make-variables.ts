import { isOwnName, isTakenByPrograms } from '../../command/exact/names.ts'

/** An assignment of a makefile. */
export interface MakeAssignment {
  readonly name: string
  /** `?`, `+`, `!`, `:` or nothing before the equals sign. */
  readonly how: string
  readonly value: string
  /** Whether it counts only sometimes: in a condition, for one target, or with `override` or `private`. */
  readonly isPartial: boolean
}

/** A shell variable that nobody knows. */
const COMPUTED = '$$__computed'
const MAX_EXPANSION = 8
const MAX_EXPANDED = 64 * 1024
/** Shells and options that read a recipe as we do. */
const USUAL_SHELL = /^(?:\/usr\/bin\/env\s+)?(?:\/(?:usr\/)?bin\/)?(?:ba|da|z|k)?sh$/
const USUAL_FLAGS = /^(?:-[euxoc]+|pipefail|errexit|nounset|\s)+$/
/** Variables that change what make itself does. */
const STEERS =
  /^(?:MAKE(?:FLAGS|FILES|OVERRIDES|LEVEL)?|GNUMAKEFLAGS|VPATH|CURDIR|\.(?:RECIPEPREFIX|VARIABLES|INCLUDE_DIRS|LIBPATTERNS))$/
/** Variables whose every value is checked. */
const CHECKED: ReadonlySet<string> = new Set(['SHELL', '.SHELLFLAGS', '.DEFAULT_GOAL'])

const BUILT_IN = new Map([
  ['MAKE', 'make'],
  ['CC', 'cc'],
  ['CXX', 'c++'],
  ['AR', 'ar'],
  ['LD', 'ld'],
  ['RM', 'rm -f'],
  ['CURDIR', '.'],
  ['SHELL', 'sh'],
])

/**
 * The variables of a makefile while it is read from top to bottom. INVARIANT: L3, a value that is certain is the one that make
 * uses at this place; every other one is unsure.
 */
export class MakeVariables {
  readonly #values = new Map<string, string>()
  readonly #given: ReadonlyMap<string, string>
  readonly #unsure = new Set<string>()
  readonly #simple = new Set<string>()
  /** Why the values change what recipes do. */
  readonly opaque = new Set<string>()

  /** `given` are set on the command line: only `override` changes them. */
  constructor(given: ReadonlyMap<string, string>) {
    this.#given = given
    for (const [name, value] of given) {
      this.#values.set(name, value)
      this.#check(name)
    }
  }

  assign({ name, how, value, isPartial }: MakeAssignment): void {
    const before = this.#values.get(name)
    if (how === '?' && before !== undefined) return
    if (isPartial) this.#unsure.add(name)
    else if (this.#given.has(name)) return
    const isSimple = how === ':' || (how === '+' && this.#simple.has(name))
    // Automatic variables are empty here.
    if (how === '!' || (isSimple && /\$(?:[({][@<^*?+|%]|[@<^*?+|%])/.test(value))) this.doubt(name)
    const known = isSimple ? this.expand(value, () => this.#unsure.add(name)) : value
    const whole = how === '+' && before !== undefined ? `${before} ${known}` : known
    if (whole.length > MAX_EXPANDED) this.#unsure.add(name)
    this.#values.set(name, whole.length > MAX_EXPANDED ? COMPUTED : whole)
    if (how === ':') this.#simple.add(name)
    else if (how !== '+') this.#simple.delete(name)
    this.#check(name)
  }

  /** A variable whose value can't be told from here on. */
  doubt(name: string): void {
    if (!this.#values.has(name)) this.#values.set(name, COMPUTED)
    this.#unsure.add(name)
    this.#check(name)
  }

  /** A variable that programs in recipes get. */
  exported(name: string): void {
    if (!isOwnName(name)) this.opaque.add(`the makefile sets \`${name.slice(0, 40)}\` for the programs it runs`)
  }

  /** What `.DEFAULT_GOAL` sets, if anything. */
  get goal(): string | undefined {
    return this.#values.get('.DEFAULT_GOAL')
  }

  /**
   * Replaces `$(NAME)` by its value. What is not set comes from the environment, as in the shell; functions and unsure values
   * become a shell variable that nobody knows. `onUnknown` is called for both.
   */
  expand(text: string, onUnknown: () => void = () => {}, depth = 0): string {
    if (!text.includes('$') || text.length > MAX_EXPANDED) return text
    let out = ''
    for (let at = 0; at < text.length; at++) {
      const sign = text[at + 1]
      if (text[at] !== '$' || sign === undefined) out += text[at]
      else if (sign === '$') {
        out += '$$'
        at++
      } else if (sign === '(' || sign === '{') {
        const end = closing(text, at + 1)
        out += this.#valueNamed(text.slice(at + 2, end), onUnknown, depth)
        at = end
      } else {
        out += /[@<^*?+|%]/.test(sign) ? `$${sign}` : this.#valueNamed(sign, onUnknown, depth)
        at++
      }
      if (out.length > MAX_EXPANDED) break
    }
    return out
  }

  #valueNamed(name: string, onUnknown: () => void, depth: number): string {
    const isName = /^[\w.-]+$/.test(name) && depth < MAX_EXPANSION
    const value = isName ? (this.#values.get(name) ?? BUILT_IN.get(name)) : COMPUTED
    if (value === undefined || !isName || this.#unsure.has(name)) onUnknown()
    if (value === undefined) return `$\${${name}}`
    // An unsure value is shown too: it may be the one that counts.
    return isName ? this.expand(value, onUnknown, depth + 1) : value
  }

  #check(name: string): void {
    // A value that names other variables may change with them.
    const value = CHECKED.has(name) ? (this.#values.get(name) ?? '').trim() : ''
    const isUnsure = this.#unsure.has(name)
    if (name === 'SHELL' && (isUnsure || !USUAL_SHELL.test(value))) this.opaque.add('the makefile sets another shell')
    else if (name === '.SHELLFLAGS' && (isUnsure || !USUAL_FLAGS.test(value)))
      this.opaque.add('the makefile changes how its shell runs')
    else if (name === 'VPATH') this.opaque.add('the makefile finds files in other folders')
    else if (STEERS.test(name) || (isUnsure && CHECKED.has(name)) || (!CHECKED.has(name) && isTakenByPrograms(name)))
      this.opaque.add(`the makefile sets ${name}`)
  }
}

/** The index of the bracket that closes the one at a position, or the end. */
export function closing(text: string, at: number): number {
  const open = text[at]
  const close = open === '(' ? ')' : '}'
  let depth = 0
  for (let index = at; index < text.length; index++) {
    if (text[index] === open) depth++
    else if (text[index] === close && --depth === 0) return index
  }
  return text.length
}
