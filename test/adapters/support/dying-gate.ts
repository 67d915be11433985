import type { Gate } from '@countersign/core'

const VERBS: readonly (string | symbol)[] = ['ask', 'submit', 'wait', 'settle', 'isConfirmationRequired']

/** The moments of one process, before and after everything it asks of the gate and does: at the n-th it is killed. */
export interface Moments {
  /** The same gate; asking it takes two moments. */
  gate(gate: Gate): Gate
  /** Something else that takes two moments. */
  during<Value>(work: () => Value): Promise<Awaited<Value>>
}

export function moments(nth: number): Moments {
  let passed = 0
  function pass(): void {
    passed += 1
    if (passed !== nth) return
    process.kill(process.pid, 'SIGKILL')
    for (;;); // SIGKILL is pending: nothing more may happen
  }
  async function during<Value>(work: () => Value): Promise<Awaited<Value>> {
    pass()
    const value = await work()
    pass()
    return value
  }
  return {
    during,
    gate: (gate) =>
      new Proxy(gate, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name)
          if (typeof found !== 'function' || !VERBS.includes(name)) return found
          return (...args: unknown[]) => during(() => found.apply(target, args))
        },
      }),
  }
}
