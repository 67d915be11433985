import type { OpenedGate } from '@countersign/node'

/** Whether calls can be answered: `ok`, or what is missing. */
export type Readiness = 'ok' | 'store' | 'policy' | 'signer'

/** How long an answer counts: however often somebody asks, the store is tried once in this time. */
const FRESH_MS = 1_000
const PATIENCE_MS = 2_000

/**
 * Tries what every call needs: the store takes a write, the policy is in force as written, and the gate's key signs. Never
 * throws; what does not answer in time is missing.
 */
export function createReadiness({
  gate,
  ports,
}: Pick<OpenedGate, 'ports'> & {
  readonly gate: Pick<OpenedGate['gate'], 'policyProblems'>
}): () => Promise<Readiness> {
  const { clock, signer, store } = ports
  let known: Promise<Readiness> | undefined
  let since = 0

  async function look(): Promise<Readiness> {
    if (!(await isWritable())) return 'store'
    if (!isSigning()) return 'signer'
    return gate.policyProblems().length === 0 ? 'ok' : 'policy'
  }

  /** An empty change takes the write lock and writes nothing. */
  function isWritable(): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = clock.after(PATIENCE_MS, () => resolve(false))
      store
        .commit({ entries: [], durable: false })
        .then(({ kind }) => resolve(kind === 'committed'))
        .catch(() => resolve(false))
        .finally(cancel)
    })
  }

  function isSigning(): boolean {
    try {
      return signer.sign('countersign/ready/v1\n') !== ''
    } catch {
      return false
    }
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
