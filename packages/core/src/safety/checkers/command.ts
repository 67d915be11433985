import { decomposeCall } from '../../command/decompose-call.ts'
import { SHELL_BUILTINS } from '../../command/programs/program-names.ts'
import type { Targets } from '../../ports/targets.ts'
import { folderOf } from '../../risk/path/paths-to-resolve.ts'
import type { CheckAnswer, Checker, CheckInput } from '../checker.ts'

const MOST_LOOKED_UP = 64

/** Whether a command can run at all: it parses, and each program it names exists. */
export function commandChecker(targets: Pick<Targets, 'program'>): Checker {
  return {
    name: 'command',
    async check(input) {
      const command = decomposeCall(input.call)
      if (command === null) return { status: 'skip', message: 'it does not run a command' }
      const syntax = command.problems.find(({ kind }) => kind === 'syntax')
      if (syntax !== undefined)
        return {
          status: 'fail',
          message: `the command does not parse: ${syntax.message}`,
          suggestion: 'check for an unbalanced quote or bracket',
          overridable: true,
        }
      const found = await lookUp(command.parts, input, targets)
      if (found.missing.length > 0) return missing(found.missing)
      if (command.problems.length > 0 || found.unknown)
        return { status: 'warn', message: 'the command parses, but part of it is known only when it runs' }
      return { status: 'pass', message: 'the command parses, and its programs exist' }
    },
  }
}

type Parts = NonNullable<ReturnType<typeof decomposeCall>>['parts']

async function lookUp(
  parts: Parts,
  { call, places }: CheckInput,
  targets: Pick<Targets, 'program'>,
): Promise<{ readonly missing: readonly string[]; readonly unknown: boolean }> {
  const defined = new Set(parts.flatMap(({ via }) => via.flatMap((step) => definedBy(step))))
  const missing = new Set<string>()
  const seen = new Set<string>()
  let unknown = false
  for (const { path, cwd, via, assignments } of parts) {
    const isBuiltin =
      path !== null && SHELL_BUILTINS.has(path) && via.length === 0 && call.descriptor.argv === undefined
    if (path === '' || isBuiltin || (path !== null && defined.has(path))) continue
    const isMoved = assignments.some(({ name }) => name === 'PATH')
    if (path === null || cwd === null || isMoved || seen.size >= MOST_LOOKED_UP) {
      unknown = true
      continue
    }
    const folder = folderOf(cwd, call.cwd, places.home)
    if (seen.has(`${folder}\0${path}`)) continue
    seen.add(`${folder}\0${path}`)
    if (!SHELL_BUILTINS.has(path) && (await targets.program(path, folder)) === undefined) missing.add(path)
  }
  return { missing: [...missing], unknown }
}

/** A function of the command itself is a program like any other. */
function definedBy(step: string): readonly string[] {
  return step.startsWith('function ') ? [step.slice('function '.length)] : []
}

function missing(names: readonly string[]): CheckAnswer {
  return {
    status: 'fail',
    message: `program \`${names[0] ?? ''}\` not found${names.length > 1 ? `, and ${names.length - 1} more are not` : ''}`,
    details: names,
    suggestion: 'correct the name or install it; an earlier command might create it',
    overridable: true,
  }
}
