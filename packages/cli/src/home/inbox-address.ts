import { safeText } from '@countersign/core'
import { controlService, type Home } from '@countersign/node'

/** Where a person decides with a passkey, in words, whether or not a service runs. */
export async function passkeyWords(home: Home): Promise<string> {
  const flag = homeFlag(home)
  const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
  if (answer === undefined || !('status' in answer))
    return `the policy requires a passkey: start the inbox with \`countersign serve${flag}\` and approve there`
  const { publicUrl, url } = answer.status
  return `the policy requires a passkey: approve in the inbox at ${safeText(publicUrl ?? url)}; \`countersign inbox${flag}\` signs you in`
}

/** The flag that names a home, where commands need it to find this one. */
export function homeFlag(home: Home): string {
  return home.chosen === 'given' ? ` --home ${safeText(home.dir)}` : ''
}
