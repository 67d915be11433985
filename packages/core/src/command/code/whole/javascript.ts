import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import { isIndex } from './javascript-index.ts'
import { ModuleReader } from './javascript-modules.ts'
import { isMember, isMethod, isTarget, readScript, type Script } from './javascript-names.ts'
import { scriptTokens, UnclearCode } from './javascript-tokens.ts'
import { type CodeSetting, MAX_CODE, type Understanding } from './understanding.ts'

const KEYWORDS = new Set(
  (
    'as async await break case catch class const continue default delete do else export extends false finally for from ' +
    'function get if import in instanceof let new null of return set static super switch this throw true try typeof var ' +
    'void while yield'
  ).split(' '),
)
/** Keywords that can be names. */
const CONTEXTUAL = ['as', 'async', 'await', 'from', 'get', 'let', 'of', 'set', 'static', 'yield']
/** Names whose members are known one by one. */
const OWNERS = new Set(['console', 'process', 'performance', 'Buffer', 'module'])

/** Understands JavaScript whole, or tells what in it is unclear. Linear in its length. */
export function understandJavaScript(text: string, setting: CodeSetting): Understanding {
  if (text.length > MAX_CODE) return { kind: 'unclear', why: 'is too long to analyze' }
  try {
    const reader = new Reader(readScript(scriptTokens(text)), setting)
    reader.run()
    return {
      kind: 'whole',
      effects: reader.effects,
      loads: [...reader.loads],
      tests: reader.tests,
      lists: reader.lists,
    }
  } catch (error) {
    if (error instanceof UnclearCode) return { kind: 'unclear', why: error.message }
    throw error
  }
}

class Reader extends ModuleReader {
  protected readonly isModule: boolean
  protected readonly classes: readonly (readonly [number, number])[]

  constructor(script: Script, setting: CodeSetting) {
    super(script, setting)
    const { tokens } = script
    this.isModule = tokens.some(
      ({ kind, text }, at) =>
        kind === 'name' &&
        (text === 'import' || text === 'export') &&
        script.around[at] === undefined &&
        !isMember(tokens, at) &&
        !/^[(.:]$/.test(tokens[at + 1]?.text ?? ''),
    )
    this.classes = classBodies(script)
    // With `-e` the built-in modules are variables.
    if (setting.inline)
      for (const name of JAVASCRIPT.modules) {
        if (!/^\w+$/.test(name) || JAVASCRIPT.harmlessModules.has(name)) continue
        this.bind(name, name, !script.declared.has(name))
        this.implicit.add(name)
      }
  }

  get tests(): boolean {
    return this.script.tokens.some(({ kind, text }) => kind === 'string' && text === 'node:test')
  }

  get lists(): boolean {
    const { tokens } = this.script
    return tokens.some(({ kind, text }) => (kind === 'name' || kind === 'string') && /^(?:values|entries)$/.test(text))
  }

  run(): void {
    const { tokens, declared, assigned, patterned } = this.script
    const odd = CONTEXTUAL.find((word) => declared.has(word) || assigned.has(word) || patterned.has(word))
    if (odd !== undefined) throw new UnclearCode(`has a variable called \`${odd}\``)
    if (this.classes.length > 200) throw new UnclearCode('is too long to analyze')
    for (const at of tokens.keys()) this.bindModules(at)
    for (const [at, { kind, text }] of tokens.entries()) {
      if (this.done.has(at)) continue
      if (kind === 'name') this.name(at)
      else if (kind === 'sign' && text === '[') this.bracket(at)
      // `{ 'constructor': f } = …`
      else if (kind === 'string' && JAVASCRIPT.never.has(text) && this.is(at + 1, ':')) this.fail(at)
      if (this.effects.length > 64) throw new UnclearCode('is too long to analyze')
    }
  }

  protected name(at: number): void {
    const { tokens, declared } = this.script
    const text = tokens[at]?.text ?? ''
    if (text === 'constructor' && isMethod(this.script, at) && this.inClass(at)) return
    if (JAVASCRIPT.never.has(text)) this.fail(at)
    if (isMember(tokens, at) || text.startsWith('#')) return
    if (this.isKey(at)) return
    if (text === 'this') {
      if (!this.isModule && !this.inClass(at)) this.fail(at)
      return
    }
    if (text === 'import') {
      this.meta(at)
      return
    }
    if (text === 'require') {
      this.main(at)
      return
    }
    if (KEYWORDS.has(text) || isMethod(this.script, at)) return
    const alias = this.aliases.get(text)
    if (alias !== undefined) {
      if (this.implicit.has(text) && declared.has(text)) this.fail(at)
      this.use(at, at, alias)
      return
    }
    if (OWNERS.has(text)) {
      this.use(at, at, text)
      return
    }
    if (this.setting.inline && JAVASCRIPT.harmlessModules.has(text)) return
    if (JAVASCRIPT.globals.has(text) || text === '__dirname' || text === '__filename') return
    if (JAVASCRIPT.otherGlobals.has(text) || !declared.has(text)) this.fail(at)
  }

  /** `{ name: … }`; a label or a case is harmless as well. */
  protected isKey(at: number): boolean {
    return this.is(at + 1, ':') && (this.is(at - 1, '{') || this.is(at - 1, ','))
  }

  /** In the body of a class, but not in a computed key of it: that is evaluated outside. */
  protected inClass(at: number): boolean {
    const { tokens, around } = this.script
    if (!this.classes.some(([from, to]) => at > from && at < to)) return false
    const bodies = new Set(this.classes.map(([from]) => from))
    for (let open = around[at]; open !== undefined; open = around[open])
      if (tokens[open]?.text === '[' && bodies.has(around[open] ?? -1)) return false
    return true
  }

  protected meta(at: number): void {
    const { tokens } = this.script
    const words = tokens.slice(at + 1, at + 5).map(({ text }) => text)
    const isKnown = /^\.meta\.(?:url|dirname|filename|main)$/.test(words.join(''))
    if (!isKnown || tokens[at + 4]?.kind !== 'name' || isTarget(this.script, at, at + 4)) this.fail(at)
  }

  /** `require.main === module`; `require('…')` was read before. */
  protected main(at: number): void {
    const { tokens } = this.script
    const words = tokens.slice(at, at + 5).map(({ text }) => text)
    if (words.join(' ') !== 'require . main === module' || tokens[at + 4]?.kind !== 'name') this.fail(at)
    const after = tokens[at + 5]
    if (after?.kind === 'sign' && (after.text === '.' || after.text === '?.' || after.text === '[')) this.fail(at)
    this.done.add(at + 4)
  }

  /** A member with a computed name could be any, `constructor` included. */
  protected bracket(at: number): void {
    const { tokens, partner } = this.script
    const close = partner.get(at) ?? at
    const before = tokens[at - 1]
    const isList =
      before === undefined ||
      (before.kind === 'sign' && !/^(?:[)\]}{,]|`\)|\?\.)$/.test(before.text)) ||
      (before.kind === 'name' &&
        /^(?:return|of|in|case|else|do|typeof|await|yield|default|new|delete|void|throw|extends|const|let|var)$/.test(
          before.text,
        ) &&
        !isMember(tokens, at - 1))
    if (isList || this.isElement(at)) return
    // A computed key may be written to: it changes one object of the script.
    const after = tokens[close + 1]
    // Not of a global, which other code uses as well.
    const isGlobal =
      before?.kind === 'name' &&
      !isMember(tokens, at - 1) &&
      before.text !== 'exports' &&
      !this.script.declared.has(before.text)
    if (isGlobal && !isIndex(this.script, at + 1, close)) this.fail(at, before.text)
    const owner = before?.kind === 'name' || (before?.kind === 'sign' && before.text === ']')
    if (owner && after?.kind === 'sign' && /^(?:=|\+=|-=|\+\+|--)$/.test(after.text)) return
    if (!isIndex(this.script, at + 1, close)) this.fail(at, `${before?.kind === 'name' ? before.text : ''}[…]`)
  }

  /** An element of a list or an argument, not a key of an object: `[[1], [2]]`, `f(a, [b])`. */
  protected isElement(at: number): boolean {
    const { tokens, around } = this.script
    const open = around[at]
    return this.is(at - 1, ',') && open !== undefined && /^[[(]$/.test(tokens[open]?.text ?? '')
  }
}

function classBodies({ tokens, partner }: Script): readonly (readonly [number, number])[] {
  const found: [number, number][] = []
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'name' || text !== 'class' || isMember(tokens, at)) continue
    let open = at + 1
    // `class A extends b.C {`; anything longer is not followed.
    while (open < at + 12 && tokens[open]?.kind !== undefined && tokens[open]?.text !== '{') {
      if (tokens[open]?.kind !== 'name' && tokens[open]?.text !== '.') break
      open++
    }
    const close = tokens[open]?.text === '{' ? partner.get(open) : undefined
    if (close !== undefined) found.push([open, close])
  }
  return found
}
