import { newSecrets, type PageSecrets } from '../keys/page-crypto.ts'
import { answerOf, completionOf } from './database.ts'

const SLOT = 'secrets'

/** Reads the secrets of a store, or draws them. If two tabs do so at once, both use those of the first. */
export async function openSecrets(database: IDBDatabase): Promise<PageSecrets> {
  const tx = database.transaction('secret', 'readwrite', { durability: 'strict' })
  const completion = completionOf(tx)
  const slots = tx.objectStore('secret')
  const found: PageSecrets | undefined = await answerOf(slots.get(SLOT))
  const secrets = found ?? newSecrets()
  if (found === undefined) await answerOf(slots.add(secrets, SLOT))
  await completion
  return secrets
}
