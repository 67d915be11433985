import { forEachChild, type ParsedScript, parse, type SyntaxNode } from 'unbash'
import { hasMisreadText } from '../checks/misread-text.ts'
import { reportOddCharacters } from '../checks/odd-characters.ts'
import { PIPED } from '../expansion/standard-input.ts'
import type { CommandPart, Decomposition } from '../model/decomposition.ts'
import { CAPS, isTooNested, Problems } from '../model/limits.ts'
import { readCommand } from './command-node.ts'
import { pushBlock, pushUncalled } from './compound-commands.ts'
import { evaluateAssignment, evaluateExpression, evaluateName, evaluateParameter, evaluateWord } from './evaluation.ts'
import type { Frame, Task } from './frame.ts'
import { Definitions } from './function-definitions.ts'
import { isPlain } from './plain-syntax.ts'
import { runSimple } from './simple-command.ts'
import { WrittenFiles } from './written-files.ts'

const NUMERIC: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])

/**
 * Walks a command depth first, in running order, with an explicit stack. Every limit it reaches becomes a problem; it
 * never throws and never stops silently.
 */
export class Visit {
  readonly parts: CommandPart[] = []
  readonly problems = new Problems()
  readonly defined = new Definitions()
  readonly files = new WrittenFiles()
  /** Whether the last statement of the command itself runs in the background. */
  leavesRunning = false
  /** Whether there is syntax that does more than join simple commands. */
  intricate = false
  #lastEnd = -1
  readonly #stack: Task[] = []
  #nodes = 0
  #reparsed = 0
  #streams = 0
  #calls = 0
  #later: Task[] | null = null

  run(first: Task): Decomposition {
    this.#stack.push(first)
    this.#work()
    if (this.#later !== null) {
      this.push(this.#later)
      this.#work()
    }
    // An uncalled function may be called later, anywhere, with any arguments.
    for (let one = this.defined.takeUncalled(); one !== undefined; one = this.defined.takeUncalled()) {
      pushUncalled(this, one)
      if (!this.#work()) break
    }
    const { parts, problems, leavesRunning, intricate } = this
    const written = this.files.known
    return {
      parts,
      problems: problems.list,
      ...(leavesRunning ? { leavesRunning } : {}),
      ...(intricate ? { intricate } : {}),
      ...(written.length > 0 ? { written } : {}),
    }
  }

  /** Runs all steps; false when the budget ran out. */
  #work(): boolean {
    for (let task = this.#stack.pop(); task !== undefined; task = this.#stack.pop()) {
      if (!this.spend(1)) return false
      this.#step(task)
    }
    return true
  }

  /** Notes the end of a statement of the command itself; that of the last one counts. */
  endStatement(end: number, isBackground: boolean): void {
    if (end < this.#lastEnd) return
    this.#lastEnd = end
    this.leavesRunning = isBackground
  }

  /** A new stream between parts. */
  newStream(): number {
    return ++this.#streams
  }

  /** Uses the node budget; false when it is exhausted. */
  spend(nodes: number): boolean {
    this.#nodes += nodes
    if (this.#nodes <= CAPS.nodes && this.parts.length < CAPS.parts) return true
    this.problems.add('too-many', 'has too many commands to analyze', null)
    return false
  }

  /** Postpones a task until the whole source has run. */
  later(task: Task): void {
    this.#later ??= []
    this.#later.push(task)
  }

  /** Counts one call of a function; false, with a problem, past the cap. */
  mayCall(): boolean {
    if (++this.#calls <= CAPS.calls) return true
    this.problems.add('too-many', 'calls too many functions to analyze', null)
    return false
  }

  /** Pushes tasks so that they run in the given order. */
  push(tasks: readonly Task[]): void {
    for (let at = tasks.length - 1; at >= 0; at--) {
      const task = tasks[at]
      if (task !== undefined) this.#stack.push(task)
    }
  }

  /** A frame one level further in; null, with a problem, past the cap. */
  deeper(frame: Frame, change: Partial<Frame>): Frame | null {
    if (frame.depth < CAPS.depth) return { ...frame, depth: frame.depth + 1, ...change }
    this.problems.add('too-deep', `is nested deeper than ${CAPS.depth} levels`, frame.span)
    return null
  }

  #step(task: Task): void {
    switch (task.kind) {
      case 'branch': {
        const scope = task.frame.scope.copy()
        this.push([
          { kind: 'node', node: task.node, frame: { ...task.frame, scope } },
          { kind: 'merge', into: task.frame.scope, branch: scope },
        ])
        return
      }
      case 'merge':
        task.into.merge(task.branch)
        return
      case 'set':
        task.scope.set(task.name, task.value)
        return
      case 'source':
        this.#parse(task.text, task.frame)
        return
      case 'simple':
        runSimple(this, task.command, task.frame)
        return
      case 'node':
        this.node(task.node, task.frame)
        return
    }
  }

  #parse(text: string, frame: Frame): void {
    if (frame.span !== null) this.#reparsed += text.length
    let source = text
    if (text.length > CAPS.source || this.#reparsed > CAPS.reparsed) {
      this.problems.add('too-long', `is longer than ${CAPS.source} characters`, frame.span)
      if (frame.span !== null) return
      source = text.slice(0, CAPS.source)
    }
    if (isTooNested(source)) {
      this.problems.add('too-deep', `is nested deeper than ${CAPS.depth} levels`, frame.span)
      reportOddCharacters(source, null, frame.span, this.problems)
      return
    }
    const script = parseSafely(source)
    if (script === null) {
      this.problems.add('too-deep', 'is nested too deeply to parse', frame.span)
      reportOddCharacters(source, null, frame.span, this.problems)
      return
    }
    reportOddCharacters(source, script, frame.span, this.problems)
    if (hasMisreadText(source, script)) this.problems.add('syntax', 'has text that bash parses differently', frame.span)
    this.node(script, source === frame.source ? frame : { ...frame, source })
  }

  /** Visits one node and pushes its children. */
  node(node: SyntaxNode, frame: Frame): void {
    this.intricate ||= !isPlain(node)
    switch (node.type) {
      case 'Script':
        this.#script(node, frame)
        return
      case 'Command':
        readCommand(this, node, frame)
        return
      case 'CommandExpansion':
      case 'ArithmeticCommandExpansion':
        this.#substitution(node, frame, '$(…)')
        return
      case 'ProcessSubstitution':
        this.#substitution(
          node,
          node.operator === '>' ? { ...frame, input: PIPED, reads: -frame.writes, writes: 0 } : frame,
          `${node.operator}(…)`,
        )
        return
      case 'ParameterExpansion':
        evaluateParameter(this, node, frame)
        this.#children(node, frame)
        return
      case 'Assignment':
        evaluateAssignment(this, node, frame)
        this.#children(node, frame)
        return
      case 'Redirect':
        if (node.descriptor?.type === 'FileDescriptorVariable') evaluateName(this, node.descriptor.name, frame)
        this.#children(node, frame)
        return
      case 'ArithmeticExpansion':
        evaluateExpression(this, node.expression, node.text, frame)
        this.#children(node, frame)
        return
      case 'ArithmeticCommand':
        evaluateExpression(this, node.expression, node.body, frame)
        this.#children(node, frame)
        return
      case 'TestUnary':
        if (node.operator === '-v' || node.operator === '-R') evaluateWord(this, node.operand, 'reference', frame)
        this.#children(node, frame)
        return
      case 'TestBinary':
        if (NUMERIC.has(node.operator))
          for (const word of [node.left, node.right]) evaluateWord(this, word, 'arithmetic', frame)
        this.#children(node, frame)
        return
      default:
        if (!pushBlock(this, node, frame)) this.#children(node, frame)
    }
  }

  #script(script: ParsedScript, frame: Frame): void {
    for (const error of script.errors?.slice(0, 8) ?? []) {
      const last = frame.source.length
      const span = frame.span ?? { start: Math.min(error.pos, last), end: Math.min(error.pos + 1, last) }
      this.problems.add('syntax', `is not valid bash: ${error.message}`, span)
    }
    if (script.commands.length === 1 && this.#stack.length === 0) {
      // Most commands are one statement, which needs no step.
      const [only] = script.commands
      if (only !== undefined && this.spend(1)) this.node(only, frame)
      return
    }
    for (let at = script.commands.length - 1; at >= 0; at--) {
      const node = script.commands[at]
      if (node !== undefined) this.#stack.push({ kind: 'node', node, frame })
    }
  }

  #substitution(node: SyntaxNode & { readonly script: ParsedScript | undefined }, frame: Frame, label: string): void {
    const script = node.script
    if (script === undefined) return
    const own = script.source === undefined ? {} : { source: script.source, span: this.spanOf(node, frame) }
    const inside = this.deeper(frame, {
      ...own,
      scope: frame.scope.copy(),
      via: [...frame.via, label],
      redirections: [],
    })
    if (inside !== null) this.push([{ kind: 'node', node: script, frame: inside }])
  }

  #children(node: SyntaxNode, frame: Frame): void {
    const inside = node.type === 'ParameterExpansion' ? this.deeper(frame, {}) : frame
    if (inside === null) return
    const tasks: Task[] = []
    forEachChild(node, (child) => tasks.push({ kind: 'node', node: child, frame: inside }))
    this.push(tasks)
  }

  /** Visits the substitutions in words. */
  insides(nodes: readonly SyntaxNode[], frame: Frame): Task[] {
    const tasks: Task[] = []
    for (const node of nodes) {
      if (node.type === 'Word' && node.parts === undefined) continue
      tasks.push({ kind: 'node', node, frame })
    }
    return tasks
  }

  spanOf(node: SyntaxNode, frame: Frame): CommandPart['span'] {
    if (frame.span !== null) return frame.span
    // For an incomplete text the parser may point past its end.
    const last = frame.source.length
    return { start: Math.min(node.pos, last), end: Math.min(Math.max(node.pos, node.end), last) }
  }
}

/** The syntax tree; null when the parser overflowed the stack. */
function parseSafely(source: string): ParsedScript | null {
  try {
    return parse(source)
  } catch {
    return null
  }
}
