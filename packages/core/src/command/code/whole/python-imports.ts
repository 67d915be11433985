import { PYTHON } from '../../../knowledge/compiled/runners.ts'
import { ActReader } from './python-acts.ts'
import { KNOWN, PREFIXES } from './python-base.ts'

/** Reads which modules code imports, and the names that it gives to them. */
export class ImportReader extends ActReader {
  /** The dotted name from a token on, and where it ends. */
  protected dotted(from: number): { readonly name: string; readonly end: number } {
    let at = from
    let name = this.tokens[at]?.kind === 'name' ? (this.tokens[at]?.text ?? '') : ''
    if (name === '') this.fail(from)
    while (this.is(at + 1, '.') && this.tokens[at + 2]?.kind === 'name') {
      name += `.${this.tokens[at + 2]?.text}`
      at += 2
    }
    return { name, end: at + 1 }
  }

  /** `import a.b as c, d`. */
  protected readImport(at: number): void {
    let next = at + 1
    for (;;) {
      const { name, end } = this.dotted(next)
      const isRenamed = this.is(end, 'as', 'name')
      const local = isRenamed ? this.dotted(end + 1).name : (name.split('.')[0] ?? name)
      const after = isRenamed ? end + 2 : end
      if (this.isOwn(name, at)) {
        this.imports.push({ module: name, names: [] })
        this.bind(local, `project:${isRenamed ? name : local}`, at)
      } else {
        // Other parts of a module, such as `unittest.__main__`, may do something as soon as they are loaded.
        if (!PREFIXES.has(name)) this.fail(at, name)
        this.alias(local, isRenamed ? name : local, at)
      }
      this.finish(at, after)
      if (!this.is(after, ',')) return
      next = after + 1
    }
  }

  /** `from a import b as c`; null if the word is part of `raise … from` or `yield from`. */
  protected readFrom(at: number): void {
    let next = at + 1
    let dots = ''
    while (this.is(next, '.') || this.is(next, '...')) dots += this.tokens[next++]?.text
    const { name, end } = this.is(next, 'import', 'name') ? { name: '', end: next } : this.tryDotted(next)
    if (!this.is(end, 'import', 'name')) return
    const names: string[] = []
    const isGroup = this.is(end + 1, '(')
    let one = end + (isGroup ? 2 : 1)
    const isOwn = dots !== '' || this.isOwn(name, at)
    for (;;) {
      if (this.is(one, '*')) {
        // What a module of Python brings is not listed.
        if (!isOwn) this.fail(one, `${name}.*`)
        this.members.add('*')
        one++
      } else {
        const member = this.tokens[one]
        if (member?.kind !== 'name') this.fail(one)
        const isRenamed = this.is(one + 1, 'as', 'name')
        const local = isRenamed ? this.dotted(one + 2).name : member.text
        this.attribute(one)
        names.push(member.text)
        if (isOwn) this.bind(local, `project:${dots}${name}.${member.text}`, one)
        else this.alias(local, `${name}.${member.text}`, one)
        one += isRenamed ? 3 : 1
      }
      if (!this.is(one, ',')) break
      one++
      if (isGroup && this.is(one, ')')) break
    }
    this.finish(at, one)
    if (isOwn) this.imports.push({ module: dots + name, names })
  }

  protected tryDotted(at: number): { readonly name: string; readonly end: number } {
    return this.tokens[at]?.kind === 'name' ? this.dotted(at) : { name: '', end: at }
  }

  /** Whether a module is not one of Python's. */
  protected isOwn(name: string, at: number): boolean {
    const [root = ''] = name.split('.')
    if (/^_/.test(root) && root !== '__future__') this.fail(at, name)
    return root !== '__future__' && !PYTHON.modules.has(root)
  }

  protected bind(name: string, target: string, at: number): void {
    if (PYTHON.otherBuiltins.has(name) || PYTHON.never.has(name) || (name.startsWith('__') && name.endsWith('__')))
      this.fail(at, name)
    const known = this.bound.get(name)
    // A name with two meanings can't be followed.
    if (known !== undefined && known !== target) this.fail(at, name)
    this.bound.set(name, target)
  }

  /** A module of Python, or a member of one. */
  protected alias(name: string, target: string, at: number): void {
    this.bind(name, target, at)
    if (this.isHarmless(target)) {
      this.aliases.set(name, target)
      return
    }
    if (!KNOWN.has(target) && !PREFIXES.has(target)) this.fail(at, target)
    this.aliases.set(name, target)
    this.exposes.add(name)
  }
}
