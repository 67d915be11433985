import { controlService, isApart, provePasskey, type Tier, tierOf } from '@countersign/node'
import type { DecidingParts } from '../api/route-dependencies.ts'

/**
 * The tier this service can stand by: T1, unless `countersign doctor --as` has proven that askers are another user; then
 * T3 where a decision without a passkey is refused from high on, which is tried again whenever policy or keys change.
 */
export function createTier({ home, main, now }: Pick<DecidingParts, 'home' | 'main' | 'now'>): () => Promise<Tier> {
  const { approvers, policyFiles } = main.ports
  let known: { readonly of: string; readonly passkey: Promise<boolean> } | undefined

  async function hasPasskey(): Promise<boolean> {
    const of = JSON.stringify([policyFiles.version(), (await approvers.list()).map(({ id }) => id)])
    if (known?.of !== of) known = { of, passkey: provePasskey(home, { policyFiles }).then(isProven, () => false) }
    return known.passkey
  }

  return async () => {
    const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
    const apart = answer !== undefined && 'status' in answer && isApart(home, answer.status.socket, now())
    if (!apart) return tierOf({ asker: 'same user', passkey: false })
    return tierOf({ asker: 'other user', passkey: await hasPasskey().catch(() => false) })
  }
}

function isProven({ demanded, enrolled }: Awaited<ReturnType<typeof provePasskey>>): boolean {
  return demanded.holds && enrolled.holds
}
