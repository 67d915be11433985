import type { Assignment, Command, SyntaxNode, Word } from 'unbash'
import { readRedirects } from '../expansion/redirects.ts'
import type { Held, Scope } from '../expansion/scope.ts'
import { assignedValue, expandInto, type ShellWord } from '../expansion/words.ts'
import type { PartAssignment } from '../model/decomposition.ts'
import { CAPS } from '../model/limits.ts'
import { DECLARES } from './builtins.ts'
import { evaluateWord } from './evaluation.ts'
import type { Frame, Task } from './frame.ts'
import { runSimple } from './simple-command.ts'
import type { Visit } from './visitor.ts'

const NOTHING: readonly never[] = []
/** Syntax without which a word runs nothing: substitutions, arithmetic, transformations. */
const RUNS = /[$`(]/
/** `{a[i]}>file`: the variable for the number of an opened file. */
const DESCRIPTOR = /^\{[A-Za-z_]\w*\[/
const NO_ASSIGNMENTS: PartAssignment[] = []

/** Reads the words and redirections of a command node, and first visits what its words would run. */
export function readCommand(visit: Visit, node: Command, frame: Frame): void {
  const { scope } = frame
  const offset = frame.span === null ? 0 : undefined
  let assignments: PartAssignment[] = NO_ASSIGNMENTS
  if (node.prefix.length > 0) assignments = readPrefix(node, scope)
  const words: ShellWord[] = []
  // Set while reading: whether there is anything but plain words.
  let runs = node.prefix.length > 0
  if (node.name !== undefined) {
    expandInto(words, node.name, scope, offset)
    runs ||= mayRun(node.name)
  }
  const program = words[0]?.value ?? ''
  for (const arg of node.args) {
    if (words.length >= CAPS.words) {
      visit.problems.add('too-many', 'has too many words to analyze', visit.spanOf(node, frame))
      runs = true
      break
    }
    if (arg.type !== 'Word') {
      runs = true
      if (assignments === NO_ASSIGNMENTS) assignments = []
      words.push(readAssignment(arg, program, scope, assignments, offset))
      continue
    }
    expandInto(words, arg, scope, offset)
    runs ||= mayRun(arg)
  }
  const redirects = node.redirects
  if (redirects.length > 0)
    for (const word of [node.name, ...node.args])
      if (word?.type === 'Word' && DESCRIPTOR.test(word.text)) evaluateWord(visit, word, 'reference', frame)
  const read = redirects.length === 0 ? null : readRedirects(redirects, scope, offset)
  // Beyond the budget the command itself is still listed.
  const inside = visit.spend(words.length) && (runs || redirects.length > 0) ? insidesOf(visit, node, frame) : null
  const command = {
    words,
    assignments,
    redirections: read?.redirections ?? NOTHING,
    text: frame.source.slice(node.pos, node.end),
    span: visit.spanOf(node, frame),
    sameShell: true,
    stream: inside?.stream ?? 0,
  }
  if (inside !== null) visit.push(inside.tasks)
  runSimple(visit, command, read === null || read.input === null ? frame : { ...frame, input: read.input, reads: 0 })
}

/** Assignments before a command apply to that command only; alone they apply to the shell. */
function readPrefix(node: Command, scope: Scope): PartAssignment[] {
  const assignments: PartAssignment[] = []
  const held: { name: string; value: Held | null }[] = []
  for (const item of node.prefix) if (item.type === 'Assignment') assign(item, scope, assignments, held)
  if (node.name === undefined) for (const { name, value } of held) scope.set(name, value)
  return assignments
}

/** The code inside the words; null when all are plain. */
function insidesOf(visit: Visit, node: Command, frame: Frame): { tasks: Task[]; stream: number } | null {
  // A variable with a literal value, for this command only, runs nothing by itself.
  const prefix = node.name === undefined ? node.prefix : node.prefix.filter((item) => !isLiteral(item))
  const plain = prefix.length === 0 && !(node.name !== undefined && mayRun(node.name))
  if (plain && node.suffix.every(isPlain)) return null
  const nodes: SyntaxNode[] = [...prefix]
  if (node.name !== undefined && mayRun(node.name)) nodes.push(node.name)
  for (const item of node.suffix) if (!isPlain(item)) nodes.push(item)
  const stream = visit.newStream()
  return { tasks: visit.insides(nodes, { ...frame, writes: stream }), stream }
}

function isLiteral(item: Command['prefix'][number]): boolean {
  if (item.type !== 'Assignment') return false
  const { text, name, value, append, index } = item
  return value?.type === 'Word' && append !== true && index === undefined && /^\w+$/.test(name) && !RUNS.test(text)
}

function isPlain(item: Command['suffix'][number]): boolean {
  return item.type === 'Word' && !mayRun(item)
}

/** Whether a word could run something; most words with parts are only quoted. */
function mayRun(word: Word): boolean {
  return word.parts !== undefined && RUNS.test(word.text)
}

function assign(
  node: Assignment,
  scope: Scope,
  assignments: PartAssignment[],
  held: { name: string; value: Held | null }[],
): void {
  const { name } = node
  const value = assignedValue(node, scope)
  assignments.push({ name, value: typeof value === 'string' ? value : null, text: valueText(node) })
  held.push({ name, value })
}

/** `export A=b`: a word and, for a declaring program, an assignment. */
function readAssignment(
  node: Assignment,
  program: string,
  scope: Scope,
  assignments: PartAssignment[],
  offset: number | undefined,
): ShellWord {
  const held: { name: string; value: Held | null }[] = []
  const own: PartAssignment[] = []
  assign(node, scope, own, held)
  const [first] = own
  const text = first === undefined || first.value === null ? null : `${first.name}=${first.value}`
  if (DECLARES.has(program)) {
    assignments.push(...own)
    for (const { name, value } of held) scope.set(name, value)
  }
  const at = offset === undefined ? undefined : node.pos + offset
  return { text: node.text, value: text, glob: false, at, template: text ?? node.text, mayVanish: false }
}

function valueText(node: Assignment): string {
  const { text } = node
  return text.slice(text.indexOf('=') + 1)
}
