import { userInfo } from 'node:os'
import { countWords } from '@countersign/core'
import { controlService, type Home } from '@countersign/node'
import { unsubscribeApprover } from '@countersign/notify'
import { withDesk } from '../decision/desk.ts'
import { browsers } from '../inbox/inbox.ts'
import { type Io, say } from '../terminal/io.ts'

/** What ended together with a key. */
export interface EndedKey {
  readonly revoked: number
  readonly signedOut: number
  readonly words: readonly string[]
}

/** Ends the grants, browser sign-ins and notifications of a key that was removed. */
export async function endKey(home: Home, id: string, io: Io): Promise<EndedKey> {
  const revoked = await withDesk(io, (desk) => desk.grants().revokeOf(id, userInfo().username))
  const signedOut = await signOut(home, id, io)
  const unsubscribed = await unsubscribeApprover(home, id)
  const words = [
    ...(revoked === 0 ? [] : [`revoked ${countWords(revoked, 'grant')}`]),
    ...(signedOut === 0 ? [] : [`signed out ${browsers(signedOut)}`]),
    ...(unsubscribed === 0 ? [] : [`turned off notifications in ${browsers(unsubscribed)}`]),
  ]
  return { revoked, signedOut, words }
}

/** Signs out the browsers of a removed key. If the service is not running, it does so at its next start. */
async function signOut(home: Home, approver: string, io: Io): Promise<number> {
  const answer = await controlService(home, { do: 'sign-out', approver }).catch(() => ({ error: true }))
  if (answer !== undefined && 'signedOut' in answer) return answer.signedOut
  if (answer !== undefined)
    say(
      io,
      'its browsers can still view calls: the service did not sign them out; run `countersign stop` and start it again',
    )
  return 0
}
