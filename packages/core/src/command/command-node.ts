import type { Assignment, Command } from 'unbash'
import { DECLARES } from './builtins.ts'
import type { Frame } from './frame.ts'
import { readRedirects } from './redirects.ts'
import { runSimple } from './simple.ts'
import type { Visit } from './visit.ts'
import { assignedValue, expandWord, type ShellWord } from './words.ts'

/** Turns a command node into words and redirections, and visits what its words would run first. */
export function readCommand(visit: Visit, node: Command, frame: Frame): void {
  const { scope } = frame
  const assignments = node.prefix.filter((item) => item.type === 'Assignment').map((item) => assigned(item, scope))
  const words: ShellWord[] = node.name === undefined ? [] : expandWord(node.name, scope)
  const program = words[0]?.value ?? ''
  for (const arg of node.args) {
    if (arg.type === 'Word') {
      for (const word of expandWord(arg, scope)) words.push(word)
      continue
    }
    const { name, value } = assigned(arg, scope)
    const text = value === null ? null : `${name}=${value}`
    words.push({ text: arg.text, value: text, glob: false, template: text ?? arg.text, mayVanish: false })
    if (!DECLARES.has(program)) continue
    assignments.push({ name, value })
    scope.set(name, value)
  }
  // Assignments before a command hold for that command only.
  if (node.name === undefined) for (const { name, value } of assignments) scope.set(name, value)
  const { redirections, input } = readRedirects(node.redirects, scope)
  const command = {
    words,
    assignments,
    redirections,
    text: frame.source.slice(node.pos, node.end),
    span: visit.spanOf(node, frame),
    sameShell: true,
  }
  const around: Frame = input === null ? frame : { ...frame, input }
  // Past the budget the command itself is still shown.
  if (visit.spend(words.length))
    visit.push(visit.insides([...node.prefix, ...(node.name === undefined ? [] : [node.name]), ...node.suffix], frame))
  runSimple(visit, command, around)
}

function assigned(node: Assignment, scope: Frame['scope']): { name: string; value: string | null } {
  return { name: node.name, value: assignedValue(node, scope) }
}
