import type { If, Redirected, SyntaxNode } from 'unbash'
import { type Frame, type Input, PIPED, type Task } from './frame.ts'
import { WELL_KNOWN } from './known-names.ts'
import { readRedirects } from './redirects.ts'
import { Scope } from './scope.ts'
import type { Visit } from './visit.ts'
import { echoedText, expandWord, type ShellWord } from './words.ts'

const MOVES = /\b(?:cd|pushd|popd|eval|source)\b/

/** Visits a list, pipeline, group, condition, loop or function; false when the node is none of these. */
export function pushBlock(visit: Visit, node: SyntaxNode, frame: Frame): boolean {
  switch (node.type) {
    case 'Statement':
      // A statement holds one command: going straight on nests no deeper than the tree's own kinds.
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
      visit.push(
        node.commands.map((command, at) => pipelined(command, node.commands[at - 1], at, node.commands.length, frame)),
      )
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
      frame.scope.set(node.name.value, null)
      visit.push([...visit.insides(node.wordlist ?? [], frame), ...loop(visit, [node.body], frame, node)])
      return true
    case 'ArithmeticFor':
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

/** A later round starts where an earlier one ended, so a loop's body knows no variable. */
function loop(visit: Visit, nodes: readonly (SyntaxNode | undefined)[], frame: Frame, whole: SyntaxNode): Task[] {
  const scope = frame.scope.copy()
  const deeper = visit.deeper(frame, { scope })
  if (deeper === null) return []
  scope.forget()
  if (MOVES.test(frame.source.slice(whole.pos, whole.end))) scope.cwd = null
  return [
    ...nodes.filter((node) => node !== undefined).map((node) => task(node, deeper)),
    { kind: 'merge', into: frame.scope, branch: scope },
  ]
}

/** A function's body runs when it is called: anywhere, with anything. */
function pushFunction(visit: Visit, name: string, body: SyntaxNode, frame: Frame): true {
  if (WELL_KNOWN.has(name)) {
    visit.problems.add('dynamic', 'defines a function with the name of a program', visit.spanOf(body, frame))
  }
  visit.defined.add(name)
  const scope = new Scope(null)
  scope.forget()
  return enter(visit, body, frame, { scope, via: [...frame.via, `function ${name}`] })
}

function pushRedirected(visit: Visit, node: Redirected, frame: Frame): void {
  const { redirections, input } = readRedirects(node.redirects, frame.scope)
  const within: Frame = {
    ...frame,
    redirections: [...frame.redirections, ...redirections],
    input: input ?? frame.input,
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
          },
          frame,
        },
      ]
    : []
  visit.push([...own, task(node.command, within), ...visit.insides(node.redirects, frame)])
}

function pipelined(
  command: SyntaxNode,
  before: SyntaxNode | undefined,
  at: number,
  length: number,
  frame: Frame,
): Task {
  if (length === 1) return task(command, frame)
  const scope = frame.scope.copy()
  return task(command, { ...frame, scope, input: at === 0 ? frame.input : printedBy(before, frame.scope) })
}

/** What a plain `echo`, `printf` or `cat <<END` before a pipe feeds to the command after it. */
function printedBy(node: SyntaxNode | undefined, scope: Scope): Input {
  if (node?.type !== 'Command' || node.name === undefined || node.prefix.length > 0) return PIPED
  const name = node.name.value
  if (name === 'cat' && node.args.length === 0) return readRedirects(node.redirects, scope).input ?? PIPED
  if ((name !== 'echo' && name !== 'printf') || node.redirects.length > 0) return PIPED
  const words: ShellWord[] = []
  for (const word of [node.name, ...node.args]) {
    if (word.type !== 'Word') return PIPED
    words.push(...expandWord(word, scope))
  }
  const text = echoedText(words)
  if (text !== null) return { kind: 'text', text, known: true }
  const code = words.slice(1).map((word) => word.template)
  return name === 'echo' && words.some((word) => word.value === null)
    ? { kind: 'text', text: code.join(' '), known: false }
    : PIPED
}
