import type { OpenedGate } from '@countersign/node'

/** Whether calls can be answered: `ok`, or what is missing. */
export type Readiness = 'ok' | 'store' | 'clock' | 'policy' | 'signer'

/** How long an answer counts: however often somebody asks, the store is tried once in this time. */
const FRESH_MS = 1_000
const PATIENCE_MS = 2_000

/**
 * Tries what every call needs: the store takes a write, the policy is in force as written, and the gate's key signs. Never
 * throws; what does not answer in time is missing.
 */
export function createReadiness({ gate, ports }: ReadyParts): () => Promise<Readiness> {
  const { clock, signer, store } = ports
  let known: Promise<Readiness> | undefined
  let since = 0

  async function look(): Promise<Readiness> {
    // An empty change takes the write lock and writes nothing.
    if (!(await inTime(async () => (await store.commit({ entries: [], durable: false })).kind === 'committed')))
      return 'store'
    if (ports.storeClock?.difference().kind === 'too-far') return 'clock'
    if (!(await inTime(async () => signer.sign('countersign/ready/v1\n') !== ''))) return 'signer'
    const isInForce = await inTime(async () => (await gate.policyProblems()).length === 0)
    return isInForce ? 'ok' : 'policy'
  }

  function inTime(test: () => Promise<boolean>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(PATIENCE_MS, () => resolve(false))
      test()
        .then(resolve, () => resolve(false))
        .finally(cancel)
    })
  }

  return () => {
    const now = clock.monotonic()
    if (known === undefined || now - since >= FRESH_MS) {
      known = look()
      since = now
    }
    return known
  }
}

interface ReadyParts {
  readonly gate: Pick<OpenedGate['gate'], 'policyProblems'>
  readonly ports: Pick<OpenedGate['ports'], 'clock' | 'signer' | 'store' | 'storeClock'>
}
