import { VARIABLES } from '../../../knowledge/compiled/commands.ts'
import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import type { CodeEffect } from '../find-effects.ts'
import { isIndex } from './javascript-index.ts'
import { isAssignment, isMember, isMethod, readScript, type Script } from './javascript-names.ts'
import { argumentRanges, pathAt } from './javascript-paths.ts'
import { scriptTokens, UnclearCode } from './javascript-tokens.ts'
import { type CodeSetting, MAX_CODE, pathEffect, type Understanding } from './understanding.ts'

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
const KNOWN = new Set([...JAVASCRIPT.harmless, ...JAVASCRIPT.assignable, 'process.env', ...effectNames()])
const PREFIXES = new Set([...KNOWN].flatMap((name) => prefixes(name)))

function effectNames(): readonly string[] {
  const { reads, writes, folders, copies, deletes, shells, programs } = JAVASCRIPT
  return [reads, writes, folders, copies, deletes, shells, programs].flatMap((names) => [...names])
}

function prefixes(name: string): readonly string[] {
  const found: string[] = []
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) found.push(name.slice(0, dot))
  return found
}

/** Understands JavaScript whole, or tells what in it is unclear. Linear in its length. */
export function understandJavaScript(text: string, setting: CodeSetting): Understanding {
  if (text.length > MAX_CODE) return { kind: 'unclear', why: 'is too long to analyze' }
  try {
    const reader = new Reader(readScript(scriptTokens(text)), setting)
    reader.run()
    return { kind: 'whole', effects: reader.effects, loads: [...reader.loads] }
  } catch (error) {
    if (error instanceof UnclearCode) return { kind: 'unclear', why: error.message }
    throw error
  }
}

/** The built-in module that a specifier means; null for a file or a package. */
function builtIn(specifier: string): string | null {
  if (JAVASCRIPT.prefixedModules.has(specifier)) return specifier
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier
  return JAVASCRIPT.modules.has(name) ? name : null
}

class Reader {
  readonly effects: CodeEffect[] = []
  readonly loads = new Set<string>()
  readonly #script: Script
  readonly #setting: CodeSetting
  readonly #aliases = new Map<string, string>()
  /** Those that can't be assigned. */
  readonly #constants = new Map<string, string>()
  /** Modules that are variables without being loaded. */
  readonly #implicit = new Set<string>()
  /** Tokens that were read as part of another one. */
  readonly #done = new Set<number>()
  readonly #isModule: boolean
  readonly #classes: readonly (readonly [number, number])[]

  constructor(script: Script, setting: CodeSetting) {
    this.#script = script
    this.#setting = setting
    const { tokens } = script
    this.#isModule = tokens.some(
      ({ kind, text }, at) =>
        kind === 'name' &&
        (text === 'import' || text === 'export') &&
        script.around[at] === undefined &&
        !isMember(tokens, at) &&
        !/^[(.:]$/.test(tokens[at + 1]?.text ?? ''),
    )
    this.#classes = classBodies(script)
    // With `-e` the built-in modules are variables.
    if (setting.inline)
      for (const name of JAVASCRIPT.modules) {
        if (!/^\w+$/.test(name) || JAVASCRIPT.harmlessModules.has(name)) continue
        this.#bind(name, name, !script.declared.has(name))
        this.#implicit.add(name)
      }
  }

  run(): void {
    const { tokens, declared } = this.#script
    const odd = CONTEXTUAL.find((word) => declared.has(word))
    if (odd !== undefined) throw new UnclearCode(`has a variable \`${odd}\``)
    if (this.#classes.length > 200) throw new UnclearCode('is too long to analyze')
    for (const at of tokens.keys()) this.#bindModules(at)
    for (const [at, { kind, text }] of tokens.entries()) {
      if (this.#done.has(at)) continue
      if (kind === 'name') this.#name(at)
      else if (kind === 'sign' && text === '[') this.#bracket(at)
      // `{ 'constructor': f } = …`
      else if (kind === 'string' && JAVASCRIPT.never.has(text) && this.#is(at + 1, ':')) this.#fail(at)
      if (this.effects.length > 64) throw new UnclearCode('is too long to analyze')
    }
  }

  #bind(name: string, module: string, isConstant: boolean): void {
    this.#implicit.delete(name)
    this.#aliases.set(name, module)
    if (isConstant) this.#constants.set(name, module)
    else this.#constants.delete(name)
  }

  #fail(at: number, what?: string): never {
    const token = this.#script.tokens[at]
    const shown = what ?? (/^[\w$.:/-]{1,60}$/.test(token?.text ?? '') ? token?.text : 'code')
    throw new UnclearCode(`uses \`${shown}\` on line ${token?.line ?? 1}, which is not known to be harmless`)
  }

  #is(at: number, text: string, kind = 'sign'): boolean {
    const token = this.#script.tokens[at]
    return token?.kind === kind && token.text === text
  }

  /** `const fs = require('fs')`, `const { join: j } = require('path')`, `import { a as b } from 'x'`. */
  #bindModules(at: number): void {
    const { tokens } = this.#script
    const token = tokens[at]
    if (token?.kind !== 'string') return
    if (this.#is(at - 1, '(') && this.#is(at - 2, 'require', 'name') && !isMember(tokens, at - 2)) {
      if (!this.#is(at + 1, ')')) this.#fail(at)
      return this.#required(at - 2, token.text)
    }
    if (this.#is(at - 1, '(') && this.#is(at - 2, 'import', 'name') && !isMember(tokens, at - 2)) {
      if (builtIn(token.text) !== null && !JAVASCRIPT.harmlessModules.has(builtIn(token.text) ?? '')) this.#fail(at)
      if (!this.#is(at + 1, ')')) this.#fail(at)
      this.#done.add(at - 2)
      return this.#load(token.text, at)
    }
    if (this.#is(at - 1, 'from', 'name') && !isMember(tokens, at - 1)) return this.#imported(at, token.text)
    if (this.#is(at - 1, 'import', 'name') && !isMember(tokens, at - 1)) {
      this.#done.add(at - 1)
      this.#load(token.text, at)
    }
  }

  /** A file or a package; a built-in module needs nothing. */
  #load(specifier: string, at: number): void {
    if (specifier.startsWith('node:') && builtIn(specifier) === null) this.#fail(at)
    if (builtIn(specifier) === null) this.loads.add(specifier)
  }

  #required(at: number, specifier: string): void {
    this.#load(specifier, at)
    const { tokens, partner } = this.#script
    const module = builtIn(specifier)
    this.#done.add(at)
    if (module === null || JAVASCRIPT.harmlessModules.has(module)) return
    const end = at + 4
    // `require('fs').readFileSync(…)`
    if (this.#is(end, '.')) return this.#use(at, end - 1, module)
    const after = tokens[end]
    const isWhole =
      after === undefined ||
      (after.kind === 'sign' && /^[;,}]$/.test(after.text)) ||
      (after.kind === 'name' && after.starts)
    if (!this.#is(at - 1, '=') || !isWhole) this.#fail(at, specifier)
    const name = tokens[at - 2]
    if (name?.kind === 'name' && this.#isDeclared(at - 2)) {
      this.#bind(name.text, module, this.#is(at - 3, 'const', 'name'))
      this.#done.add(at - 2)
      return
    }
    const open = name?.kind === 'sign' && name.text === '}' ? partner.get(at - 2) : undefined
    if (open === undefined || !this.#isDeclared(open)) this.#fail(at, specifier)
    this.#bindMembers(open, at - 2, module, ':', this.#is(open - 1, 'const', 'name'))
  }

  /** After `const`, or after a comma in its list. */
  #isDeclared(at: number): boolean {
    const before = this.#script.tokens[at - 1]
    return before?.kind === 'name' && /^(?:const|let|var)$/.test(before.text)
  }

  /** `{ a, b: c }` or `{ a, b as c }`. */
  #bindMembers(open: number, close: number, module: string, sign: ':' | 'as', isConstant = true): void {
    const { tokens } = this.#script
    for (let at = open + 1; at < close; ) {
      const member = tokens[at]
      if (member?.kind !== 'name') this.#fail(at)
      const isRenamed = tokens[at + 1]?.text === sign
      const name = isRenamed ? tokens[at + 2] : member
      const next = at + (isRenamed ? 3 : 1)
      if (name?.kind !== 'name' || (next !== close && !this.#is(next, ','))) this.#fail(at)
      this.#bind(name.text, member.text === 'default' ? module : `${module}.${member.text}`, isConstant)
      for (let one = at; one < next; one++) this.#done.add(one)
      at = next + 1
    }
  }

  /** `import a, { b } from 'x'`, `import * as a from 'x'`, `export { a } from 'x'`. */
  #imported(at: number, specifier: string): void {
    const { tokens } = this.#script
    let from = at - 2
    while (from >= 0 && !/^(?:import|export)$/.test(tokens[from]?.text ?? '')) {
      // What stands between is a list of names.
      if (!(tokens[from]?.kind === 'name' || /^[{},*]$/.test(tokens[from]?.text ?? '')) || at - from > 400)
        this.#fail(at)
      from--
    }
    if (from < 0) this.#fail(at)
    const module = builtIn(specifier)
    const isFree = module === null || JAVASCRIPT.harmlessModules.has(module)
    if (!isFree && tokens[from]?.text === 'export') this.#fail(at, specifier)
    for (let one = from; one < at; one++) this.#done.add(one)
    const attributes = tokens.slice(at + 1, at + 6).map(({ text }) => text)
    if (attributes.join('') === 'with{type:json}') this.#done.add(at + 1)
    this.#load(specifier, at)
    if (isFree) return
    for (let one = from + 1; one < at - 1; one++) {
      const token = tokens[one]
      if (token?.text === '{') {
        const close = this.#script.partner.get(one) ?? one
        this.#bindMembers(one, close, module, 'as')
        one = close
      } else if (token?.kind === 'name' && token.text !== 'as') this.#bind(token.text, module, true)
    }
  }

  #name(at: number): void {
    const { tokens, declared } = this.#script
    const text = tokens[at]?.text ?? ''
    if (text === 'constructor' && isMethod(this.#script, at) && this.#inClass(at)) return
    if (JAVASCRIPT.never.has(text)) this.#fail(at)
    if (isMember(tokens, at) || text.startsWith('#')) return
    if (this.#isKey(at)) return
    if (text === 'this') return this.#isModule || this.#inClass(at) ? undefined : this.#fail(at)
    if (text === 'import') return this.#meta(at)
    if (text === 'require') return this.#main(at)
    if (KEYWORDS.has(text) || isMethod(this.#script, at)) return
    const alias = this.#aliases.get(text)
    if (alias !== undefined) {
      return this.#implicit.has(text) && declared.has(text) ? this.#fail(at) : this.#use(at, at, alias)
    }
    if (OWNERS.has(text)) return this.#use(at, at, text)
    if (this.#setting.inline && JAVASCRIPT.harmlessModules.has(text)) return
    if (JAVASCRIPT.globals.has(text) || text === '__dirname' || text === '__filename') return
    if (JAVASCRIPT.otherGlobals.has(text) || !declared.has(text)) this.#fail(at)
  }

  /** `{ name: … }`; a label or a case is harmless as well. */
  #isKey(at: number): boolean {
    return this.#is(at + 1, ':') && (this.#is(at - 1, '{') || this.#is(at - 1, ','))
  }

  #inClass(at: number): boolean {
    return this.#classes.some(([from, to]) => at > from && at < to)
  }

  #meta(at: number): void {
    const { tokens } = this.#script
    const words = tokens.slice(at + 1, at + 5).map(({ text }) => text)
    const isKnown = /^\.meta\.(?:url|dirname|filename|main)$/.test(words.join(''))
    if (!isKnown || tokens[at + 4]?.kind !== 'name' || isAssignment(tokens[at + 5])) this.#fail(at)
  }

  /** `require.main === module`; `require('…')` was read before. */
  #main(at: number): void {
    const { tokens } = this.#script
    const words = tokens.slice(at, at + 5).map(({ text }) => text)
    if (words.join(' ') !== 'require . main === module' || tokens[at + 4]?.kind !== 'name') this.#fail(at)
    const after = tokens[at + 5]
    if (after?.kind === 'sign' && (after.text === '.' || after.text === '?.' || after.text === '[')) this.#fail(at)
    this.#done.add(at + 4)
  }

  /** The use of a module or of a global with known members. `last` is the token that its name ends with. */
  #use(at: number, last: number, start: string): void {
    const { tokens } = this.#script
    let name = start
    let end = last
    while (!KNOWN.has(name) && this.#is(end + 1, '.') && tokens[end + 2]?.kind === 'name') {
      // Only names that lead somewhere known are followed.
      if (!PREFIXES.has(name)) this.#fail(at, name)
      name = `${name}.${tokens[end + 2]?.text}`
      end += 2
    }
    // `import test from 'node:test'`
    if (JAVASCRIPT.callableModules.has(name) && this.#is(end + 1, '(')) return
    if (!KNOWN.has(name)) this.#fail(at, name)
    if (name === 'process.env') return this.#variable(at, end)
    const isAssigned = isAssignment(tokens[end + 1]) || /^(?:\+\+|--|delete)$/.test(tokens[at - 1]?.text ?? '')
    if (isAssigned && !JAVASCRIPT.assignable.has(name)) this.#fail(at, name)
    if (!JAVASCRIPT.harmless.has(name) && !JAVASCRIPT.assignable.has(name)) this.#act(name, at, end + 1)
  }

  /** `process.env.CI`: any other variable can hold a secret. */
  #variable(at: number, end: number): void {
    const { tokens } = this.#script
    const isDotted = this.#is(end + 1, '.')
    const key = tokens[end + 2]
    const isPlain = isDotted ? key?.kind === 'name' : key?.kind === 'string' && this.#is(end + 3, ']')
    const name = key?.text ?? ''
    const after = tokens[end + (isDotted ? 3 : 4)]
    if (!isPlain || !(isDotted || this.#is(end + 1, '['))) this.#fail(at, 'process.env')
    if (!VARIABLES.harmless.has(name) && !VARIABLES.public.has(name))
      throw new UnclearCode(`reads environment variables`)
    if (isAssignment(after) || /^(?:\+\+|--|delete)$/.test(tokens[at - 1]?.text ?? '')) this.#fail(at, 'process.env')
    if (!isDotted) this.#done.add(end + 1)
  }

  #act(name: string, at: number, open: number): void {
    if (!this.#is(open, '(')) this.#fail(at, name)
    const ranges = argumentRanges(this.#script, open)
    const [first, second] = ranges
    if (first === undefined) this.#fail(at, name)
    const path = (range: readonly [number, number] | undefined) =>
      range === undefined ? null : pathAt(this.#script, range, this.#constants, this.#setting.folder)
    const known = (range: readonly [number, number] | undefined): string => {
      const found = path(range)
      if (found === null || found === '' || found.includes('\0'))
        throw new UnclearCode(`${verbOf(name)} files with computed names`)
      return found
    }
    if (JAVASCRIPT.reads.has(name)) {
      // Standard input.
      if (name === 'fs.readFileSync' && this.#is(first[0], '0', 'number') && first[1] === first[0] + 1) return
      if (!ranges.slice(1).every((range) => this.#isPlain(range))) this.#fail(at, name)
      this.effects.push(pathEffect('read', known(first)))
    } else if (JAVASCRIPT.writes.has(name)) this.effects.push(pathEffect('write', known(first)))
    else if (JAVASCRIPT.folders.has(name)) this.effects.push({ ...pathEffect('write', known(first)), folder: true })
    else if (JAVASCRIPT.copies.has(name)) this.effects.push(pathEffect('copy', known(first), known(second)))
    else if (JAVASCRIPT.deletes.has(name)) {
      const options = ranges.slice(1)
      if (!options.every((range) => this.#isPlain(range))) this.#fail(at, name)
      this.effects.push(pathEffect(options.length > 0 ? 'delete-all' : 'delete', known(first)))
    } else this.#start(name, at, ranges)
  }

  /** Only literals, and options by their names. */
  #isPlain([from, to]: readonly [number, number]): boolean {
    return this.#script.tokens
      .slice(from, to)
      .every(({ kind, text }) =>
        kind === 'name'
          ? /^(?:encoding|withFileTypes|recursive|force|true|false|stdio|timeout|maxBuffer|maxRetries)$/.test(text)
          : kind === 'string' || kind === 'number' || /^[{}:,[\]]$/.test(text),
      )
  }

  #start(name: string, at: number, ranges: readonly (readonly [number, number])[]): void {
    const { tokens } = this.#script
    const [first, second] = ranges
    const command = first === undefined ? undefined : tokens[first[0]]
    if (first === undefined || command?.kind !== 'string' || first[1] !== first[0] + 1) this.#fail(at, name)
    const hasWords = second !== undefined && this.#is(second[0], '[') && !JAVASCRIPT.shells.has(name)
    if (!ranges.slice(hasWords ? 2 : 1).every((range) => this.#isPlain(range))) this.#fail(at, name)
    if (JAVASCRIPT.shells.has(name)) {
      this.effects.push({ kind: 'run', run: { kind: 'shell', text: command.text, known: true }, paths: [] })
      return
    }
    const words = hasWords ? argumentRanges(this.#script, second[0]) : []
    const list = words.map(([from, to]) => {
      const word = tokens[from]
      return word?.kind === 'string' && to === from + 1 ? word.text : this.#fail(at, name)
    })
    if (hasWords && this.#script.partner.get(second[0]) !== second[1] - 1) this.#fail(at, name)
    this.effects.push({ kind: 'run', run: { kind: 'words', words: [command.text, ...list] }, paths: [] })
  }

  /** A member with a computed name could be any, `constructor` included. */
  #bracket(at: number): void {
    const { tokens, partner } = this.#script
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
    if (isList || this.#isElement(at)) return
    // A computed key may be written to: it changes one object of the script.
    const after = tokens[close + 1]
    const owner = before?.kind === 'name' || (before?.kind === 'sign' && before.text === ']')
    if (owner && after?.kind === 'sign' && /^(?:=|\+=|-=|\+\+|--)$/.test(after.text)) return
    if (!isIndex(this.#script, at + 1, close)) this.#fail(at, `${before?.kind === 'name' ? before.text : ''}[…]`)
  }

  /** An element of a list or an argument, not a key of an object: `[[1], [2]]`, `f(a, [b])`. */
  #isElement(at: number): boolean {
    const { tokens, around } = this.#script
    const open = around[at]
    return this.#is(at - 1, ',') && open !== undefined && /^[[(]$/.test(tokens[open]?.text ?? '')
  }
}

function verbOf(name: string): string {
  if (JAVASCRIPT.reads.has(name)) return 'reads'
  return JAVASCRIPT.deletes.has(name) ? 'deletes' : 'writes'
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
