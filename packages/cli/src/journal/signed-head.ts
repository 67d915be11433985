import { CountersignError, createJournal, verifyJournal } from '@countersign/core'
import { systemClock } from '@countersign/node'
import type { OpenedJournal } from './open-journal.ts'

/** Signs the head of the journal now. SECURITY: A29, a journal that does not verify is not vouched for. */
export async function signHead(journal: OpenedJournal): Promise<string> {
  const { store, crypto, signer, heads, origin } = journal
  const verdict = await verifyJournal(store, {
    crypto,
    kept: await heads.kept(),
    publicKeys: [signer.publicKey],
    origin,
  })
  if (verdict.kind === 'damaged')
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      `${verdict.damage.message}; nothing was signed, run \`countersign journal verify\``,
    )
  const note = await createJournal({ store, crypto, signer, heads, origin, clock: systemClock }).checkpoint()
  if (note === undefined)
    throw new CountersignError('CS_USAGE', 'the journal has no entries yet; there is nothing to sign')
  return note
}
