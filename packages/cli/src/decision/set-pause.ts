import { type Desk, type RulesEdit, type SafeText, safeText } from '@countersign/core'
import { changeRules } from '@countersign/node'
import { accountName, type LocalKey } from '../home/approver-key.ts'

/** Pauses or resumes with the local key, from the queue. Returns what became of it. */
export async function setPause(desk: Desk, to: 'pause' | 'resume', key: LocalKey): Promise<SafeText> {
  if (key.sealed) return safeText(`your key has a passphrase: run \`countersign ${to}\` in another terminal`)
  const edit: RulesEdit = to === 'pause' ? { kind: 'pause', reason: null, by: accountName() } : { kind: 'resume' }
  const proposal = await desk.rules().propose(edit)
  const { act, change } = proposal
  if (act.passkey) return safeText('only a passkey can resume: use the inbox')
  if (act.typed)
    return safeText(`this loosens calls under manual supervision: run \`countersign ${to} --reason <text>\``)
  await key.recorded
  await changeRules(desk, { proposal }, { approver: key.open(), surface: 'terminal' })
  return safeText(`${change.what}; recorded as change ${change.seq}`)
}
