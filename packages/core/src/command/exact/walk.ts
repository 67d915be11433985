import { type Command, type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { shellNames } from '../../knowledge/shell.ts'
import { hasMisreadText } from '../checks/misread-text.ts'
import type { CommandPart, Decomposition, ExactCommands, Redirection } from '../model/decomposition.ts'
import { CAPS, isTooNested } from '../model/limits.ts'
import { PASSED_ON } from '../nested/wrappers.ts'
import { SHELL_BUILTINS } from '../programs/program-names.ts'
import { isLikeProgram, runBuiltin } from './builtins.ts'
import { runCompound } from './compound.ts'
import { withStandIns } from './data-words.ts'
import { assign, DECLARING, declare } from './declarations.ts'
import { UNKNOWN_FOLDER } from './folders.ts'
import { isOwnName, isPlainName, writtenNames } from './names.ts'
import { exactRedirections } from './redirects.ts'
import { DATA, ExactState, type ExactWalk, type ExactWord, Inexact, textValue, type Value } from './state.ts'
import { anyWord, Expansion, literal } from './words.ts'
import { runWrapped } from './wrappers.ts'

/** INVARIANT: L10, what needs more is not exact. */
const MOST = { parts: 200, nodes: 4_000, depth: 48 } as const

/** Programs that give variables no meaning but those that `isPlainName` knows. */
const PLAIN_ENVIRONMENT = shellNames('plain_environment')
/** What makes arrays, and more. */
const ARRAYS = /=\(|\]\+?=|-\w*[aA]|mapfile|readarray/
/** Takes exact words apart, through wrappers and inline code. */
type TakeApart = (argv: readonly string[]) => Decomposition

/**
 * The simple commands that a command runs, with every word as the shell would pass it on; null if anything about that is
 * uncertain. Stricter than the decomposition, which guesses what it can't know: proofs rest on this.
 */
export function exactCommands(source: string, takeApart: TakeApart): ExactCommands | null {
  if (source.length > CAPS.variable || isTooNested(source)) return null
  try {
    return new Walk(takeApart).all(source)
  } catch (error) {
    // A tree too deep for the stack is not exact either.
    if (error instanceof Inexact || error instanceof RangeError) return null
    throw error
  }
}

class Walk implements ExactWalk {
  readonly #takeApart: TakeApart
  readonly #parts: CommandPart[] = []
  readonly #later: string[] = []
  readonly #folders = new Set<string>([''])
  #isConcurrent = false
  #nodes = 0
  #depth = 0

  constructor(takeApart: TakeApart) {
    this.#takeApart = takeApart
  }

  all(source: string): ExactCommands {
    const state = new ExactState()
    this.code(source, state)
    if (state.running > 0) throw new Inexact()
    for (const text of this.#later) {
      const atEnd = state.nested()
      atEnd.forgetAll()
      atEnd.folders = [...this.#folders]
      this.code(text, atEnd)
      atEnd.mayEnd()
    }
    return { parts: this.#parts, isConcurrent: this.#isConcurrent }
  }

  later(text: string): void {
    this.#later.push(text)
  }

  code(text: string, state: ExactState): void {
    if (text.length > CAPS.variable || isTooNested(text)) throw new Inexact()
    const script = parse(text)
    if (hasMisreadText(text, script)) throw new Inexact()
    state.mayHaveArrays ||= ARRAYS.test(text)
    this.#statements(script, state)
  }

  script(script: ParsedScript | undefined, state: ExactState): void {
    if (script === undefined) throw new Inexact()
    const before = state.running
    this.#statements(script, state)
    if (state.running > before) throw new Inexact()
  }

  #statements(script: ParsedScript, state: ExactState): void {
    if ((script.errors?.length ?? 0) > 0) throw new Inexact()
    for (const statement of script.commands) this.node(statement, state)
  }

  node(node: SyntaxNode, state: ExactState): void {
    if (state.folders.includes(UNKNOWN_FOLDER)) throw new Inexact()
    if (++this.#nodes > MOST.nodes || ++this.#depth > MOST.depth) throw new Inexact()
    if (node.type === 'Command') this.#command(node, state)
    else if (node.type === 'Statement' && node.background === true) {
      this.#isConcurrent = true
      if (state.isPiped) throw new Inexact()
      const beside = state.nested()
      this.node(node.command, beside)
      if (beside.running > state.running) throw new Inexact()
      state.running++
    } else runCompound(node, state, this)
    for (const folder of state.folders) this.#folders.add(folder)
    this.#depth--
  }

  #command(node: Command, state: ExactState): void {
    const expansion = new Expansion(state, this)
    const { name } = node
    if (state.endsEarly && name?.text !== 'wait') state.mayEnd()
    if (name === undefined) {
      for (const item of node.prefix) if (item.type === 'Assignment') assign(item, state, expansion)
      const redirections = exactRedirections(node.redirects, state, expansion)
      if (redirections.length > 0) this.emit([literal(':')], redirections, state)
      return
    }
    const words = [...expansion.words(name)]
    const program = words[0]?.text ?? null
    const given = this.#prefix(node, program, state, expansion)
    if (program !== null && DECLARING.has(program)) {
      if (words.length > 1 || name.parts !== undefined) throw new Inexact()
      declare(program, node.args, state, expansion)
    } else
      for (const arg of node.args) {
        const keeps = program === 'env' ? PASSED_ON.exec(arg.text)?.[1] : undefined
        if (keeps !== undefined) words.push({ ...anyWord(false), keeps })
        else if (arg.type === 'Word') words.push(...expansion.words(arg))
        else if (/^\w+=[\w./:@%+,-]*$/.test(arg.text)) words.push(literal(arg.text))
        else throw new Inexact()
      }
    const redirections = exactRedirections(node.redirects, state, expansion)
    if (program === null || !DECLARING.has(program)) this.run(words, redirections, withGiven(state, given))
    else if (redirections.length > 0) this.emit([literal(':')], redirections, state)
  }

  /** Assignments before a command: variables that programs give no meaning, and IFS for `read`. */
  #prefix(
    { prefix }: Command,
    program: string | null,
    state: ExactState,
    expansion: Expansion,
  ): ReadonlyMap<string, Value> {
    const given = new Map<string, Value>()
    for (const item of prefix) {
      if (item.type !== 'Assignment') continue
      const { name, value, index, append } = item
      if (value.type !== 'Word' || index !== undefined || append === true) throw new Inexact()
      const set = expansion.value(value)
      if (isPlainName(name) && program !== null && (!SHELL_BUILTINS.has(program) || isLikeProgram(program)))
        given.set(name, set.kind === 'text' ? set : DATA)
      else if (name === 'IFS' ? program !== 'read' : !isOwnName(name)) throw new Inexact()
      if (program === null || program === 'eval' || state.functions.has(program) || state.isComputed(name))
        throw new Inexact()
    }
    return given
  }

  /** Runs a function, a builtin, a wrapper or a program. */
  run(words: readonly ExactWord[], redirections: readonly Redirection[], state: ExactState): void {
    const [first] = words
    if (first?.text == null || first.text === '' || first.glob !== null) throw new Inexact()
    const body = state.functions.get(first.text)
    const isOwn = body !== undefined || runBuiltin(words, state, this) || runWrapped(words, state, this)
    if (!isOwn) {
      this.emit(words, redirections, state)
      return
    }
    if (redirections.length > 0) this.emit([literal(':')], redirections, state)
    if (body !== undefined) this.#call(first.text, words.slice(1), state)
  }

  /** Calls a function. What it sets is unknown after it: it may return anywhere. */
  #call(name: string, args: readonly ExactWord[], state: ExactState): void {
    const body = state.functions.get(name)
    if (body === undefined || state.calls.includes(name)) throw new Inexact()
    const inside = new ExactState(state, name)
    inside.isNested = true
    inside.isRepeated = true
    inside.positional = args.some(({ spread, glob, isPipe }) => spread || glob !== null || isPipe)
      ? null
      : args.map(({ text }) => (text === null ? DATA : textValue(text)))
    this.node(body, inside)
    inside.positional = state.positional
    const names = writtenNames(body)
    names.delete('@')
    state.join([inside])
    state.forget(names)
  }

  emit(words: readonly ExactWord[], redirections: readonly Redirection[], state: ExactState): void {
    const given = withStandIns(words)
    if (state.given.size > 0 && !PLAIN_ENVIRONMENT.has(given[0]?.text ?? '')) throw new Inexact()
    const { parts, problems } = this.#takeApart(given.map(({ text }) => text ?? ''))
    const [part] = parts
    // What runs other commands is followed by the walk, or not at all.
    if (part === undefined || parts.length !== 1 || problems.length > 0) throw new Inexact()
    const args = part.args.map((word, at) => {
      const { glob = null, isPipe, listed, below } = given[at + 1] ?? {}
      if (listed !== undefined) return { text: '$(git …)', value: null, glob: true, listed }
      if (below !== undefined) return { ...word, text: quoted(word.value ?? ''), below }
      const pipe = isPipe === true ? { pipe: true as const } : {}
      if (glob === null) return { ...word, text: quoted(word.value ?? ''), ...pipe }
      return { ...word, glob: true, ...(glob === 'loop' ? { like: word.value ?? '' } : {}) }
    })
    for (const cwd of state.folders) {
      if (this.#parts.length >= MOST.parts) throw new Inexact()
      this.#parts.push({ ...part, args, redirections, cwd, stdin: { kind: 'piped' } })
    }
  }
}

/** The state in which a command runs that gets more variables: nothing of it stays. */
function withGiven(state: ExactState, given: ReadonlyMap<string, Value>): ExactState {
  if (given.size === 0) return state
  const inside = state.nested()
  inside.given = new Map([...state.given, ...given])
  return inside
}

/** A word as it would have to be written. */
function quoted(text: string): string {
  return /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
