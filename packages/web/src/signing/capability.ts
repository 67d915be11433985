import type { ConnectionState } from '@countersign/react'

/** What this browser could sign with. */
export interface Signing {
  /** Whether its own key is enrolled; null while that is not known. */
  readonly key: 'enrolled' | 'not-enrolled' | 'impossible' | null
  /** How many passkeys of this site may decide. */
  readonly passkeys: number
  /** Whether one of them was made, used or chosen here. */
  readonly isChosen: boolean
  /** Whether a held call demands a passkey. */
  readonly isDemanded: boolean
}

/** What to offer above the page: to enrol, to choose a passkey, or nothing. */
export function offerOf({ key, passkeys, isChosen, isDemanded }: Signing): 'enrol' | 'passkey' | 'choose' | null {
  if (key === null) return null
  if (key !== 'enrolled' && !(passkeys > 0 && isChosen)) return 'enrol'
  if (isDemanded && passkeys === 0) return 'passkey'
  return passkeys > 1 && (isDemanded || key !== 'enrolled') ? 'choose' : null
}

/** Why nothing may be decided now, in words; null when it may. A passkey of this site is as good as the browser's key. */
export function blockedReason(link: ConnectionState, { key, passkeys }: Signing): string | null {
  const away = awayWords(link)
  if (away !== null) return away
  if (passkeys > 0 || key === null || key === 'enrolled') return null
  return key === 'impossible'
    ? 'This browser cannot sign by itself: add a passkey first.'
    : 'This browser may look, but not decide: enrol its key or a passkey first.'
}

/** Why no tool may be accepted now, in words; null when it may. A passkey is no help there: whoever reads pins knows keys. */
export function acceptBlockedReason(
  link: ConnectionState,
  { key, passkeys }: Pick<Signing, 'key' | 'passkeys'>,
  command: string | null,
): string | null {
  const away = awayWords(link)
  if (away !== null || key === 'enrolled') return away
  if (key === null) return 'This browser’s key is not open yet.'
  const run = `run \`${command ?? 'countersign mcp accept'}\` in a terminal`
  if (passkeys > 0 || key === 'impossible') return `A tool is not accepted with a passkey: ${run}.`
  return `This browser may look, but not accept: enrol its key first, or ${run}.`
}

function awayWords(link: ConnectionState): string | null {
  if (link === 'offline') return 'Offline: nothing can be decided until the service answers again.'
  return link === 'live' ? null : 'Reconnecting: deciding waits until this page is live again.'
}
