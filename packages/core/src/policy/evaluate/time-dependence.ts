import type { Conditions, PolicySet } from '../model/rule.ts'

const known = new WeakMap<PolicySet, boolean>()

/** Whether any rule asks for the time of day. Where none does, and no grant runs out, a verdict stays as it is. */
export function readsClock(policy: PolicySet): boolean {
  const found =
    known.get(policy) ?? policy.rules.some(({ when, unless }) => asks(when) || (unless !== null && asks(unless)))
  known.set(policy, found)
  return found
}

function asks({ hours, any = [], all = [], not }: Conditions): boolean {
  return hours !== undefined || any.some(asks) || all.some(asks) || (not !== undefined && asks(not))
}
