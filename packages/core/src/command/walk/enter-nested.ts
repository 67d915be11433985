import { Scope } from '../expansion/scope.ts'
import { NO_INPUT } from '../expansion/standard-input.ts'
import { CAPS } from '../model/limits.ts'
import type { Inner } from '../nested/nested-command.ts'
import type { Frame, PlacedCommand } from './frame.ts'
import type { Visit } from './visitor.ts'

/** Whether one more wrapper is too many; if so, adds a problem. */
function isTooWrapped(visit: Visit, command: PlacedCommand, frame: Frame): boolean {
  if (frame.wrappers < CAPS.wrappers) return false
  visit.problems.add('too-deep', `is wrapped more than ${CAPS.wrappers} times`, command.span)
  return true
}

/** Visits what a command runs, inside one more wrapper. */
export function enterInner(visit: Visit, inner: Inner, command: PlacedCommand, frame: Frame): void {
  if (inner.kind === 'unknown') {
    visit.problems.add('dynamic', inner.message, command.span)
    return
  }
  if (isTooWrapped(visit, command, frame)) return
  const sameShell = inner.sameShell === true && command.sameShell
  const scope = sameShell ? frame.scope : frame.scope.copy()
  if (inner.elsewhere === true) scope.changeFolder(null)
  if (inner.folder !== undefined) scope.changeFolder(inner.folder)
  const wrapped: Partial<Frame> = {
    scope,
    via: [...frame.via, inner.label],
    wrappers: frame.wrappers + 1,
    redirections: [],
  }
  if (inner.kind === 'words') {
    visit.push([
      {
        kind: 'simple',
        command: { ...command, words: inner.words, assignments: inner.assignments ?? [], redirections: [], sameShell },
        frame: { ...frame, ...wrapped },
      },
    ])
    return
  }
  if (!inner.known) visit.problems.add('dynamic', 'builds shell code from an unknown value', command.span)
  const started = sameShell ? scope : newShell(scope, inner.positional ?? null)
  const input = frame.input.kind === 'text' && inner.text === frame.input.text ? NO_INPUT : frame.input
  const inside = visit.deeper(frame, { ...wrapped, scope: started, span: command.span, input })
  if (inside !== null) visit.push([{ kind: 'source', text: inner.text, frame: inside }])
}

/** A new shell has the same folder and its own parameters, but no unexported variables. */
function newShell(scope: Scope, positional: Scope['positional']): Scope {
  const started = new Scope(scope.cwd, positional)
  started.cwdLike = scope.cwdLike
  return started
}

/** The code of a trap runs in the shell that set it, when that shell ends, with its values at that time. */
export function enterTrap(visit: Visit, text: string, command: PlacedCommand, frame: Frame): void {
  if (isTooWrapped(visit, command, frame)) return
  const change = { via: [...frame.via, 'trap'], wrappers: frame.wrappers + 1, span: command.span, redirections: [] }
  const inside = visit.deeper(frame, change)
  if (inside !== null) visit.later({ kind: 'source', text, frame: inside })
}

/** Visits a function or an alias that the source defines, with the words of the call. */
export function enterCall(visit: Visit, name: string, command: PlacedCommand, frame: Frame): void {
  const label = `function ${name}`
  const called = visit.defined.named(name)
  const alias = visit.defined.alias(name)
  // One round of a recursive function is enough.
  if (called === undefined ? alias === undefined || frame.via.includes(label) : frame.calls.includes(called)) return
  // What is not followed here is visited as an uncalled function.
  if (isTooWrapped(visit, command, frame) || !visit.mayCall()) return
  if (called !== undefined) visit.defined.follow(called)
  const scope = frame.scope.copy()
  scope.positional = command.words.map(({ value, glob }) => (glob ? null : value))
  const change: Partial<Frame> = {
    scope,
    via: [...frame.via, label],
    wrappers: frame.wrappers + 1,
    redirections: [...frame.redirections, ...command.redirections],
  }
  const inside = visit.deeper(
    frame,
    called === undefined
      ? { ...change, span: command.span }
      : { ...change, source: called.frame.source, span: called.frame.span, calls: [...frame.calls, called] },
  )
  if (inside === null) return
  visit.push([
    called === undefined
      ? { kind: 'source', text: `${alias} "$@"`, frame: inside }
      : { kind: 'node', node: called.body, frame: inside },
    { kind: 'merge', into: frame.scope, branch: scope },
  ])
}
