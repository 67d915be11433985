import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import type { CodeEffect } from '../find-effects.ts'
import { UnclearCode } from './javascript-tokens.ts'
import type { PythonCode } from './python-paths.ts'
import type { PythonToken } from './python-tokens.ts'

const EFFECTS = new Set(
  [PYTHON.reads, PYTHON.folders, PYTHON.deletes, PYTHON.copies, PYTHON.programs].flatMap((names) => [...names]),
)
const OTHERS = ['os.environ', 'os.getenv', 'pathlib.Path', 'sys.path.insert', 'unittest.main']
export const KNOWN = new Set([...PYTHON.harmless, ...EFFECTS, ...OTHERS])
export const PREFIXES = new Set([...KNOWN, ...[...PYTHON.harmlessModules].map((name) => `${name}.x`)].flatMap(prefixes))

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

/** What is known of a module while it is read. */
export class PythonState {
  protected readonly tokens: readonly PythonToken[]
  protected readonly code: PythonCode
  protected readonly effects: CodeEffect[] = []
  protected readonly imports: PythonImport[] = []
  protected readonly folders: string[] = []
  protected readonly exposes = new Set<string>()
  protected readonly members = new Set<string>()
  /** What imported names stand for. */
  protected readonly aliases = new Map<string, string>()
  protected readonly bound = new Map<string, string>()
  protected readonly declared = new Set<string>()
  protected readonly done = new Set<number>()
  protected readonly steady = new Map<string, string>()
  protected takesModules = false
  protected usesArguments = false

  constructor(tokens: readonly PythonToken[], file: string | null) {
    this.tokens = tokens
    this.code = { tokens, partner: partners(tokens), steady: this.steady, file }
  }

  protected finish(from: number, to: number): void {
    for (let at = from; at < to; at++) this.done.add(at)
  }

  protected fail(at: number, what?: string): never {
    const token = this.tokens[at]
    const shown = what ?? (/^[\w.]{1,60}$/.test(token?.text ?? '') ? token?.text : 'code')
    throw new UnclearCode(`uses \`${shown}\` on line ${token?.line ?? 1}, which is not known to be harmless`)
  }

  protected is(at: number, text: string, kind = 'sign'): boolean {
    const token = this.tokens[at]
    return token?.kind === kind && token.text === text
  }

  protected isHarmless(name: string): boolean {
    if (PYTHON.harmless.has(name)) return true
    const dot = name.lastIndexOf('.')
    return dot !== -1 && PYTHON.harmlessModules.has(name.slice(0, dot)) && !name.slice(dot + 1).startsWith('_')
  }

  protected attribute(at: number): void {
    const text = this.tokens[at]?.text ?? ''
    if (PYTHON.never.has(text)) this.fail(at)
    if (text.startsWith('__') && text.endsWith('__') && text !== '__name__' && text !== '__doc__') {
      // `super().__init__(…)`
      const words = this.tokens.slice(Math.max(0, at - 4), at).map((token) => token.text)
      if (text !== '__init__' || words.join('') !== 'super().') this.fail(at)
    }
    this.members.add(text)
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
