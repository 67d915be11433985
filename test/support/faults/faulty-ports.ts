import type { Ports } from '@countersign/core'
import { intercept } from '../intercept.ts'
import type { Random } from '../seeded-random.ts'

/** The faults of one port call. */
const FAULTS = ['throw', 'throw-after', 'hang', 'late', 'duplicate'] as const
export type Fault = (typeof FAULTS)[number]

export interface FaultPlan {
  /** The fault of this port call, if any. */
  next(port: string, method: string): Fault | undefined
}

/** Random faults while `on` is true. */
export function randomFaults(random: Random, probability: number, on: () => boolean): FaultPlan {
  return { next: () => (on() && random.chance(probability) ? random.pick(FAULTS) : undefined) }
}

/** One fault, at the n-th port call (from 1). */
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

/** Injects faults between the gate and its ports, at every asynchronous method. */
export function faultyPorts(ports: Ports, plan: FaultPlan): Ports {
  const { clock } = ports
  function broken<T extends object>(name: string, port: T): T {
    return intercept(port, (method, work) => {
      if (method === 'close') return work()
      const fault = plan.next(name, method)
      const isSync = method === 'version'
      if (fault === undefined || (isSync && fault !== 'throw')) return work()
      const error = new Error(`${name}.${method} broke`)
      switch (fault) {
        case 'throw':
          if (isSync) throw error
          return Promise.reject(error)
        case 'throw-after':
          return Promise.resolve(work()).then(() => Promise.reject(error))
        case 'hang':
          return new Promise(() => {})
        case 'late':
          return new Promise((resolve, reject) => {
            clock.after(40_000, () => Promise.resolve(work()).then(resolve, reject))
          })
        case 'duplicate':
          return Promise.resolve(work()).then(() => work())
      }
    })
  }
  return {
    ...ports,
    store: broken('store', ports.store),
    targets: broken('targets', ports.targets),
    approvers: broken('approvers', ports.approvers),
    policyFiles: broken('policyFiles', ports.policyFiles),
    heads: broken('heads', ports.heads),
    backups: broken('backups', ports.backups),
    programs: broken('programs', ports.programs),
    sandbox: broken('sandbox', ports.sandbox),
  }
}
