import type { Ports } from '@countersign/core'
import type { Random } from './random.ts'

/** What may go wrong with one call of a port. */
const FAULTS = ['throw', 'throw-after', 'hang', 'late', 'duplicate'] as const
export type Fault = (typeof FAULTS)[number]

export interface FaultPlan {
  /** Which fault hits this call of a port, if any. */
  next(port: string, method: string): Fault | undefined
}

/** Faults at random, as long as `on` says so. */
export function randomFaults(random: Random, probability: number, on: () => boolean): FaultPlan {
  return { next: () => (on() && random.chance(probability) ? random.pick(FAULTS) : undefined) }
}

/** One fault, at the n-th call of any port (from 1). */
export function faultAt(n: number, fault: Fault): FaultPlan & { readonly calls: () => number } {
  let calls = 0
  return {
    calls: () => calls,
    next: () => {
      calls += 1
      return calls === n ? fault : undefined
    },
  }
}

/** The same ports with faults between them and the gate. Each asynchronous method is a place where things break. */
export function faultyPorts(ports: Ports, plan: FaultPlan): Ports {
  const { clock } = ports
  function broken<T extends object>(name: string, port: T): T {
    return new Proxy(port, {
      get(target, key) {
        const real = Reflect.get(target, key)
        if (typeof real !== 'function') return real
        if (key === 'close') return real.bind(target)
        return (...args: unknown[]) => {
          const fault = plan.next(name, String(key))
          const work = () => real.apply(target, args)
          const isSync = key === 'version'
          if (fault === undefined || (isSync && fault !== 'throw')) return work()
          switch (fault) {
            case 'throw':
              if (isSync) throw new Error(`${name}.${String(key)} broke`)
              return Promise.reject(new Error(`${name}.${String(key)} broke`))
            case 'throw-after':
              return Promise.resolve(work()).then(() => Promise.reject(new Error(`${name}.${String(key)} broke after all`)))
            case 'hang':
              return new Promise(() => {})
            case 'late':
              return new Promise((resolve, reject) => {
                clock.after(40_000, () => Promise.resolve(work()).then(resolve, reject))
              })
            case 'duplicate':
              return Promise.resolve(work()).then(() => work())
          }
        }
      },
    })
  }
  return {
    ...ports,
    store: broken('store', ports.store),
    targets: broken('targets', ports.targets),
    approvers: broken('approvers', ports.approvers),
    policyFiles: broken('policyFiles', ports.policyFiles),
    heads: broken('heads', ports.heads),
  }
}
