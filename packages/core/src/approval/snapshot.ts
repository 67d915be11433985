import type { Targets, TargetState } from '../ports/targets.ts'
import type { Judgement } from './judgement.ts'

const MAX_TARGETS = 64
const MAX_BYTES = 32 * 1024 * 1024

/**
 * Looks at every file and program the call names, to be bound into the request and compared before the effect.
 * What cannot be looked at is the literal `unbound`, and surfaces say so.
 */
export async function snapshotTargets(judgement: Judgement, targets: Targets): Promise<readonly TargetState[]> {
  const wanted = new Map<string, { readonly given: string; readonly path: string | null }>()
  for (const { given, real } of judgement.named) wanted.set(`${given}\0${real}`, { given, path: real })
  for (const program of await programs(judgement, targets)) wanted.set(`${program.given}\0${program.path}`, program)
  const bound = [...wanted.values()].slice(0, MAX_TARGETS)
  const budget = Math.floor(MAX_BYTES / Math.max(1, bound.length))
  const states: TargetState[] = []
  for (const { given, path } of bound) {
    states.push(path === null ? unbound(given) : await look(given, path, judgement.call.cwd, budget, targets))
  }
  return states
}

/** Where each program of the command is found now: an entry of PATH swapped later must show. */
async function programs(judgement: Judgement, targets: Targets): Promise<readonly { given: string; path: string | null }[]> {
  const names = new Set<string>()
  for (const { command } of judgement.risk.parts) if (command.path !== null) names.add(command.path)
  const found: { given: string; path: string | null }[] = []
  for (const given of names) {
    const path = await targets.program(given, judgement.call.cwd).catch(() => undefined)
    if (path !== undefined) found.push({ given, path })
  }
  return found
}

async function look(given: string, path: string, cwd: string, budget: number, targets: Targets): Promise<TargetState> {
  try {
    return { ...(await targets.look(path, cwd, budget)), given }
  } catch {
    return unbound(given)
  }
}

function unbound(given: string): TargetState {
  return { given, real: 'unbound', type: 'other', content: 'unbound' }
}
