import { safeText } from '@countersign/core'
import { type Home, provePasskey } from '@countersign/node'
import type { Check } from './check.ts'

/** T3 needs both, from high on: that no decision counts without a passkey, and somebody who has one. */
export async function passkeyChecks(home: Home): Promise<readonly Check[]> {
  try {
    const { demanded, enrolled } = await provePasskey(home)
    return [
      {
        name: 'passkey',
        holds: demanded.holds,
        words: safeText(demanded.words),
        ...(demanded.holds
          ? {}
          : {
              fix: 'write `defaults: { passkey: high }` in policy.yaml, and no rule that lets such calls run unasked',
            }),
      },
      {
        name: 'passkey-enrolled',
        holds: enrolled.holds,
        words: enrolled.words,
        ...(enrolled.holds ? {} : { fix: 'run `countersign approvers add` and type its code in the inbox' }),
      },
    ]
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      { name: 'passkey', holds: false, words: safeText(`whether a passkey is demanded could not be tried: ${why}`) },
    ]
  }
}
