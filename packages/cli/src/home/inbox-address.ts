import { safeText } from '@countersign/core'
import { controlService, type Home } from '@countersign/node'

/** How to approve with a passkey, in words. */
export async function passkeyWords(home: Home): Promise<string> {
  const flag = homeFlag(home)
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  if (answer === undefined || !('status' in answer))
    return `the policy requires a passkey: start the inbox with \`countersign serve${flag}\` and approve there`
  const { publicUrl, url } = answer.status
  return `the policy requires a passkey: approve in the inbox at ${safeText(publicUrl ?? url)}; \`countersign inbox${flag}\` signs you in`
}

/** ` --home <dir>` for suggested commands, if this home was chosen with the flag. */
export function homeFlag(home: Home): string {
  return home.chosen === 'given' ? ` --home ${safeText(home.dir)}` : ''
}
