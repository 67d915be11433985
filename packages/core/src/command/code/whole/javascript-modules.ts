import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import { ActReader } from './javascript-acts.ts'
import { isMember } from './javascript-names.ts'

/** The built-in module that a specifier means; null for a file or a package. */
function builtIn(specifier: string): string | null {
  if (JAVASCRIPT.prefixedModules.has(specifier)) return specifier
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier
  return JAVASCRIPT.modules.has(name) ? name : null
}

/** Reads which modules a script loads, and the names that it gives to them. */
export class ModuleReader extends ActReader {
  /** `const fs = require('fs')`, `const { join: j } = require('path')`, `import { a as b } from 'x'`. */
  protected bindModules(at: number): void {
    const { tokens } = this.script
    const token = tokens[at]
    if (token?.kind !== 'string') return
    if (this.is(at - 1, '(') && this.is(at - 2, 'require', 'name') && !isMember(tokens, at - 2)) {
      if (!this.is(at + 1, ')')) this.fail(at)
      this.required(at - 2, token.text)
      return
    }
    if (this.is(at - 1, '(') && this.is(at - 2, 'import', 'name') && !isMember(tokens, at - 2)) {
      if (builtIn(token.text) !== null && !JAVASCRIPT.harmlessModules.has(builtIn(token.text) ?? '')) this.fail(at)
      if (!this.is(at + 1, ')')) this.fail(at)
      this.done.add(at - 2)
      this.load(token.text, at)
      return
    }
    if (this.is(at - 1, 'from', 'name') && !isMember(tokens, at - 1)) {
      this.imported(at, token.text)
      return
    }
    if (this.is(at - 1, 'import', 'name') && !isMember(tokens, at - 1)) {
      this.done.add(at - 1)
      this.load(token.text, at)
    }
  }

  /** A file or a package; a built-in module needs nothing. */
  protected load(specifier: string, at: number): void {
    if (specifier.startsWith('node:') && builtIn(specifier) === null) this.fail(at)
    if (builtIn(specifier) === null) this.loads.add(specifier)
  }

  protected required(at: number, specifier: string): void {
    this.load(specifier, at)
    const { tokens, partner } = this.script
    const module = builtIn(specifier)
    this.done.add(at)
    if (module === null || JAVASCRIPT.harmlessModules.has(module)) return
    const end = at + 4
    // `require('fs').readFileSync(…)`
    if (this.is(end, '.') || (JAVASCRIPT.callableModules.has(module) && this.is(end, '('))) {
      this.use(at, end - 1, module)
      return
    }
    const after = tokens[end]
    const isWhole =
      after === undefined ||
      (after.kind === 'sign' && /^[;,}]$/.test(after.text)) ||
      (after.kind === 'name' && after.starts)
    if (!this.is(at - 1, '=') || !isWhole) this.fail(at, specifier)
    const name = tokens[at - 2]
    if (name?.kind === 'name' && this.isDeclared(at - 2)) {
      this.bind(name.text, module, this.is(at - 3, 'const', 'name'))
      this.done.add(at - 2)
      return
    }
    const open = name?.kind === 'sign' && name.text === '}' ? partner.get(at - 2) : undefined
    if (open === undefined || !this.isDeclared(open)) this.fail(at, specifier)
    this.bindMembers(open, at - 2, module, ':', this.is(open - 1, 'const', 'name'))
  }

  /** After `const`, or after a comma in its list. */
  protected isDeclared(at: number): boolean {
    const before = this.script.tokens[at - 1]
    return before?.kind === 'name' && /^(?:const|let|var)$/.test(before.text)
  }

  /** `{ a, b: c }` or `{ a, b as c }`. */
  protected bindMembers(open: number, close: number, module: string, sign: ':' | 'as', isConstant = true): void {
    const { tokens } = this.script
    for (let at = open + 1; at < close; ) {
      const member = tokens[at]
      if (member?.kind !== 'name') this.fail(at)
      const isRenamed = tokens[at + 1]?.text === sign
      const name = isRenamed ? tokens[at + 2] : member
      const next = at + (isRenamed ? 3 : 1)
      if (name?.kind !== 'name' || (next !== close && !this.is(next, ','))) this.fail(at)
      this.bind(name.text, member.text === 'default' ? module : `${module}.${member.text}`, isConstant)
      for (let one = at; one < next; one++) this.done.add(one)
      at = next + 1
    }
  }

  /** `import a, { b } from 'x'`, `import * as a from 'x'`, `export { a } from 'x'`. */
  protected imported(at: number, specifier: string): void {
    const { tokens } = this.script
    let from = at - 2
    while (from >= 0 && !/^(?:import|export)$/.test(tokens[from]?.text ?? '')) {
      // What stands between is a list of names.
      if (!(tokens[from]?.kind === 'name' || /^[{},*]$/.test(tokens[from]?.text ?? '')) || at - from > 400)
        this.fail(at)
      from--
    }
    if (from < 0) this.fail(at)
    const module = builtIn(specifier)
    const isFree = module === null || JAVASCRIPT.harmlessModules.has(module)
    if (!isFree && tokens[from]?.text === 'export') this.fail(at, specifier)
    for (let one = from; one < at; one++) this.done.add(one)
    const attributes = tokens.slice(at + 1, at + 6).map(({ text }) => text)
    if (attributes.join('') === 'with{type:json}') this.done.add(at + 1)
    this.load(specifier, at)
    if (isFree) return
    for (let one = from + 1; one < at - 1; one++) {
      const token = tokens[one]
      if (token?.text === '{') {
        const close = this.script.partner.get(one) ?? one
        this.bindMembers(one, close, module, 'as')
        one = close
      } else if (token?.kind === 'name' && token.text !== 'as') this.bind(token.text, module, true)
    }
  }
}
