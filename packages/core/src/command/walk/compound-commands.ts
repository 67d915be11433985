import type { For, If, Pipeline, Redirected, Select, SyntaxNode } from 'unbash'
import { printedByCommand } from '../expansion/command-substitution.ts'
import { computedNames } from '../expansion/evaluated-text.ts'
import { withoutLastLines } from '../expansion/known-output.ts'
import { holdsNumber } from '../expansion/numbers.ts'
import { readRedirects } from '../expansion/redirects.ts'
import { NUMBER, Scope } from '../expansion/scope.ts'
import { type Input, PIPED } from '../expansion/standard-input.ts'
import { expandWord, type ShellWord } from '../expansion/words.ts'
import { WELL_KNOWN } from '../programs/program-names.ts'
import { evaluateExpression } from './evaluation.ts'
import type { Frame, Task } from './frame.ts'
import type { DefinedFunction } from './function-definitions.ts'
import type { Visit } from './visitor.ts'

const MOVES = /\b(?:cd|pushd|popd|eval|source)\b/
/** Code of which it is unknown what it sets. */
const SETS_ANY = /\b(?:eval|source)\b|(?:^|[;&|\s])\.\s/
/** Builtins that set variables without an equals sign, and the words after them. */
const SETS =
  /\b(read|mapfile|readarray|getopts|let|unset|declare|typeset|local|export|for|select|printf -v)\b([^;&|\n<>]*)/g
const ASSIGNED = /([A-Za-z_]\w{0,63})(?:\[[^\]]{0,64}\])?(?:\+?=|:?=(?=[^}]*\}))/g
const NUMBERS = /^(?:"?\$\(\(|"?-?\d+"?(?:[\s;)&|]|$))/
/** How many iterations of a loop over known words are followed one by one. */
const MAX_ROUNDS = 8

/** Visits a list, pipeline, group, condition, loop or function; false for any other node. */
export function pushBlock(visit: Visit, node: SyntaxNode, frame: Frame): boolean {
  switch (node.type) {
    case 'Statement':
      if (frame.via.length === 0) visit.endStatement(node.end, node.background === true)
      // A statement has one command: the recursion is no deeper than the kinds of nodes.
      visit.node(node.command, node.background === true ? { ...frame, scope: frame.scope.copy() } : frame)
      return true
    case 'AndOr':
      visit.push(
        node.commands.map((command, at) =>
          node.operators[at - 1] === '||' ? branch(command, frame) : task(command, frame),
        ),
      )
      return true
    case 'Pipeline':
      pushPipeline(visit, node, frame)
      return true
    case 'Redirected':
      pushRedirected(visit, node, frame)
      return true
    case 'Subshell':
      return enter(visit, node.body, frame, { scope: frame.scope.copy() })
    case 'BraceGroup':
      return enter(visit, node.body, frame, {})
    case 'Coproc':
      return enter(visit, node.body, frame, { scope: frame.scope.copy(), input: PIPED })
    case 'If':
      return pushIf(visit, node, frame)
    case 'Case':
      visit.push([...visit.insides([node.word], frame), ...node.items.flatMap((item) => inside(visit, item, frame))])
      return true
    case 'While':
      visit.push(loop(visit, [node.clause, node.body], frame, node))
      return true
    case 'For':
    case 'Select':
      visit.push([...visit.insides(node.wordlist ?? [], frame), ...rounds(visit, node, frame)])
      return true
    case 'ArithmeticFor':
      for (const one of [node.initialize, node.test, node.update])
        if (one !== undefined) evaluateExpression(visit, one, '', frame)
      visit.push(loop(visit, [node.initialize, node.test, node.update, node.body], frame, node))
      return true
    case 'Function':
      return pushFunction(visit, node.name.value, node.body, frame)
    default:
      return false
  }
}

function task(node: SyntaxNode, frame: Frame): Task {
  return { kind: 'node', node, frame }
}

function branch(node: SyntaxNode, frame: Frame): Task {
  return { kind: 'branch', node, frame }
}

function inside(visit: Visit, node: SyntaxNode | undefined, frame: Frame): Task[] {
  const deeper = node === undefined ? null : visit.deeper(frame, {})
  return node === undefined || deeper === null ? [] : [branch(node, deeper)]
}

function enter(visit: Visit, body: SyntaxNode, frame: Frame, change: Partial<Frame>): true {
  const deeper = visit.deeper(frame, change)
  if (deeper !== null) visit.push([task(body, deeper)])
  return true
}

function pushIf(visit: Visit, node: If, frame: Frame): true {
  const deeper = visit.deeper(frame, {})
  if (deeper === null) return true
  const arms = [node, ...node.elif].flatMap((arm) => [task(arm.clause, deeper), branch(arm.then, deeper)])
  visit.push(node.else === undefined ? arms : [...arms, branch(node.else, deeper)])
  return true
}

/** A loop over words: one iteration for each known word. */
function rounds(visit: Visit, node: For | Select, frame: Frame): Task[] {
  const name = node.name.value
  const words = node.wordlist?.flatMap((word) => expandWord(word, frame.scope)) ?? []
  const known = node.type === 'For' && words.length > 0 && words.every((word) => word.value !== null)
  const [first] = words
  if (known && first !== undefined && words.length === 1 && first.glob) {
    frame.scope.set(name, { kind: 'glob', pattern: first.value ?? '*' })
    return loop(visit, [node.body], frame, node, name)
  }
  if (!known || words.length > MAX_ROUNDS || words.some((word) => word.glob)) {
    frame.scope.set(name, null)
    return loop(visit, [node.body], frame, node)
  }
  const deeper = visit.deeper(frame, {})
  if (deeper === null) return []
  return words.flatMap(({ value }): Task[] => [
    { kind: 'set', scope: frame.scope, name, value },
    branch(node.body, deeper),
  ])
}

/** An iteration starts with the state of the one before, so variables that the body may set are unknown in it. */
function loop(
  visit: Visit,
  nodes: readonly (SyntaxNode | undefined)[],
  frame: Frame,
  whole: SyntaxNode,
  kept?: string,
): Task[] {
  const scope = frame.scope.copy()
  const deeper = visit.deeper(frame, { scope })
  if (deeper === null) return []
  const text = frame.source.slice(whole.pos, whole.end)
  forgetSet(scope, kept === undefined ? text : text.replace(/^\s*for\b/, ''), visit)
  if (MOVES.test(text)) scope.cwd = null
  return [
    ...nodes.filter((node) => node !== undefined).map((node) => task(node, deeper)),
    { kind: 'merge', into: frame.scope, branch: scope },
  ]
}

function forgetSet(scope: Scope, text: string, visit: Visit): void {
  if (!visit.defined.isEmpty || SETS_ANY.test(text)) {
    scope.forget()
    return
  }
  for (const [, builtin, words = ''] of text.matchAll(SETS)) {
    const named = words.trim().split(/\s+/)
    const names = builtin === 'for' || builtin === 'select' ? named.slice(0, 1) : named
    if (names.some((name) => /^["']?[$`]/.test(name))) {
      scope.forget()
      return
    }
    for (const name of names) if (/^[A-Za-z_]\w{0,63}$/.test(name)) scope.set(name, null)
  }
  // Names that are only computed stay numbers.
  const computed = new Set(computedNames(text))
  for (const match of text.matchAll(ASSIGNED)) {
    const [whole, name = ''] = match
    if (!NUMBERS.test(text.slice(match.index + whole.length, match.index + whole.length + 24))) {
      computed.delete(name)
      scope.set(name, null)
    }
  }
  for (const name of computed) scope.set(name, holdsNumber(name, scope) ? NUMBER : null)
}

/** The body of a function runs when it is called; uncalled functions are visited at the end. */
function pushFunction(visit: Visit, name: string, body: SyntaxNode, frame: Frame): true {
  if (WELL_KNOWN.has(name)) {
    visit.problems.add('dynamic', 'defines a function with the name of a program', visit.spanOf(body, frame))
  }
  visit.defined.define({ name, body, frame })
  return true
}

/** Visits a function's body as if it were called anywhere with unknown arguments. */
export function pushUncalled(visit: Visit, { name, body, frame }: DefinedFunction): void {
  const scope = new Scope(null)
  scope.forgetToCode()
  enter(visit, body, frame, { scope, via: [...frame.via, `function ${name}`] })
}

function pushRedirected(visit: Visit, node: Redirected, frame: Frame): void {
  const { redirections, input } = readRedirects(node.redirects, frame.scope, frame.span === null ? 0 : undefined)
  const within: Frame = {
    ...frame,
    redirections: [...frame.redirections, ...redirections],
    input: input ?? frame.input,
    reads: input === null ? frame.reads : 0,
  }
  const empty = node.command.type === 'TestCommand' || node.command.type === 'ArithmeticCommand'
  const own: Task[] = empty
    ? [
        {
          kind: 'simple',
          command: {
            words: [],
            assignments: [],
            redirections,
            text: frame.source.slice(node.pos, node.end),
            span: visit.spanOf(node, frame),
            sameShell: false,
            stream: 0,
          },
          frame,
        },
      ]
    : []
  visit.push([...own, task(node.command, within), ...visit.insides(node.redirects, frame)])
}

/** Each stage reads the output of the one before, as text where it is known. */
function pushPipeline(visit: Visit, node: Pipeline, frame: Frame): void {
  const last = node.commands.length - 1
  if (last === 0) {
    visit.push(node.commands.map((command) => task(command, frame)))
    return
  }
  let input = frame.input
  let { reads } = frame
  const tasks: Task[] = []
  node.commands.forEach((command, at) => {
    const writes = at === last ? frame.writes : visit.newStream()
    tasks.push(task(command, { ...frame, scope: frame.scope.copy(), input, reads, writes }))
    if (at !== last) input = printedBy(command, frame.scope, input)
    reads = writes
  })
  visit.push(tasks)
}

/** The output of a command for the next stage of a pipeline. */
function printedBy(node: SyntaxNode, scope: Scope, input: Input): Input {
  if (node.type !== 'Command') return PIPED
  const text = printedByCommand(node, scope, expandWord, input)
  if (text !== null) return { kind: 'text', text: withoutLastLines(text), known: true }
  if (node.name?.value !== 'echo' || node.redirects.length > 0) return PIPED
  const words: ShellWord[] = []
  for (const word of node.args) {
    if (word.type !== 'Word') return PIPED
    words.push(...expandWord(word, scope))
  }
  return words.some((word) => word.value === null)
    ? { kind: 'text', text: words.map((word) => word.template).join(' '), known: false }
    : PIPED
}
