import { VARIABLES } from '../../../knowledge/compiled/commands.ts'
import { JAVASCRIPT } from '../../../knowledge/compiled/runners.ts'
import { ScriptState } from './javascript-base.ts'
import { isTarget } from './javascript-names.ts'
import { argumentRanges, pathAt } from './javascript-paths.ts'
import { UnclearCode } from './javascript-tokens.ts'
import { pathEffect } from './understanding.ts'

const KNOWN = new Set([
  ...JAVASCRIPT.harmless,
  ...JAVASCRIPT.called,
  ...JAVASCRIPT.assignable,
  'process.env',
  ...effectNames(),
])
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

/** Reads the uses of modules and of globals with known members. */
export class ActReader extends ScriptState {
  /** The use of a module or of a global with known members. `last` is the token that its name ends with. */
  protected use(at: number, last: number, start: string): void {
    const { tokens } = this.script
    let name = start
    let end = last
    while (!KNOWN.has(name) && this.is(end + 1, '.') && tokens[end + 2]?.kind === 'name') {
      // Only names that lead somewhere known are followed.
      if (!PREFIXES.has(name)) this.fail(at, name)
      name = `${name}.${tokens[end + 2]?.text}`
      end += 2
    }
    // `import test from 'node:test'`, `require('node:test')('a', …)`
    if (JAVASCRIPT.callableModules.has(name) && this.is(end + 1, '(')) return
    if (!KNOWN.has(name)) this.fail(at, name)
    if (name === 'process.env') {
      this.variable(at, end)
      return
    }
    if (JAVASCRIPT.called.has(name)) {
      // A function that is passed on can be used with any member.
      const isVariant = this.is(end + 1, '.') && JAVASCRIPT.calledVariants.has(tokens[end + 2]?.text ?? '')
      if (!this.is(end + (isVariant ? 3 : 1), '(')) this.fail(at, name)
      return
    }
    if (isTarget(this.script, at, end) && !JAVASCRIPT.assignable.has(name)) this.fail(at, name)
    if (!JAVASCRIPT.harmless.has(name) && !JAVASCRIPT.assignable.has(name)) this.act(name, at, end + 1)
  }

  /** `process.env.CI`: any other variable can hold a secret. */
  protected variable(at: number, end: number): void {
    const { tokens } = this.script
    const isDotted = this.is(end + 1, '.')
    const key = tokens[end + 2]
    const isPlain = isDotted ? key?.kind === 'name' : key?.kind === 'string' && this.is(end + 3, ']')
    const name = key?.text ?? ''
    if (!isPlain || !(isDotted || this.is(end + 1, '['))) this.fail(at, 'process.env')
    if (!VARIABLES.harmless.has(name) && !VARIABLES.public.has(name))
      throw new UnclearCode(`reads environment variables`)
    if (isTarget(this.script, at, end + (isDotted ? 2 : 3))) this.fail(at, 'process.env')
    if (!isDotted) this.done.add(end + 1)
  }

  protected act(name: string, at: number, open: number): void {
    if (!this.is(open, '(')) this.fail(at, name)
    const ranges = argumentRanges(this.script, open)
    const [first, second] = ranges
    if (first === undefined) this.fail(at, name)
    const path = (range: readonly [number, number] | undefined) =>
      range === undefined ? null : pathAt(this.script, range, this.constants, this.setting.folder)
    const known = (range: readonly [number, number] | undefined): string => {
      const found = path(range)
      if (found === null || found === '' || found.includes('\0'))
        throw new UnclearCode(`${verbOf(name)} files with computed names`)
      return found
    }
    if (JAVASCRIPT.reads.has(name)) {
      // Standard input.
      if (name === 'fs.readFileSync' && this.is(first[0], '0', 'number') && first[1] === first[0] + 1) return
      if (!ranges.slice(1).every((range) => this.isPlain(range))) this.fail(at, name)
      this.effects.push(pathEffect('read', known(first)))
    } else if (JAVASCRIPT.writes.has(name)) this.effects.push(pathEffect('write', known(first)))
    else if (JAVASCRIPT.folders.has(name)) this.effects.push({ ...pathEffect('write', known(first)), folder: true })
    else if (JAVASCRIPT.copies.has(name)) this.effects.push(pathEffect('copy', known(first), known(second)))
    else if (JAVASCRIPT.deletes.has(name)) {
      const options = ranges.slice(1)
      if (!options.every((range) => this.isPlain(range))) this.fail(at, name)
      this.effects.push(pathEffect(options.length > 0 ? 'delete-all' : 'delete', known(first)))
    } else this.start(name, at, ranges)
  }

  /** Only literals, and options by their names. */
  protected isPlain([from, to]: readonly [number, number]): boolean {
    return this.script.tokens
      .slice(from, to)
      .every(({ kind, text }, at) =>
        kind === 'name'
          ? /^(?:encoding|withFileTypes|recursive|force|true|false|stdio|timeout|maxBuffer|maxRetries)$/.test(text)
          : (kind === 'string' && !this.is(from + at + 1, ':')) || kind === 'number' || /^[{}:,[\]]$/.test(text),
      )
  }

  protected start(name: string, at: number, ranges: readonly (readonly [number, number])[]): void {
    const { tokens } = this.script
    const [first, second] = ranges
    const command = first === undefined ? undefined : tokens[first[0]]
    if (first === undefined || command?.kind !== 'string' || first[1] !== first[0] + 1) this.fail(at, name)
    const hasWords = second !== undefined && this.is(second[0], '[') && !JAVASCRIPT.shells.has(name)
    if (!ranges.slice(hasWords ? 2 : 1).every((range) => this.isPlain(range))) this.fail(at, name)
    if (JAVASCRIPT.shells.has(name)) {
      this.effects.push({ kind: 'run', run: { kind: 'shell', text: command.text, known: true }, paths: [] })
      return
    }
    const words = hasWords ? argumentRanges(this.script, second[0]) : []
    const list = words.map(([from, to]) => {
      const word = tokens[from]
      return word?.kind === 'string' && to === from + 1 ? word.text : this.fail(at, name)
    })
    if (hasWords && this.script.partner.get(second[0]) !== second[1] - 1) this.fail(at, name)
    this.effects.push({ kind: 'run', run: { kind: 'words', words: [command.text, ...list] }, paths: [] })
  }
}

function verbOf(name: string): string {
  if (JAVASCRIPT.reads.has(name)) return 'reads'
  return JAVASCRIPT.deletes.has(name) ? 'deletes' : 'writes'
}
