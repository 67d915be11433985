import type { ConnectionState } from '@countersign/react'

/** The ways this browser can sign. */
export interface Signing {
  /** The state of its own key; null while loading. */
  readonly key: 'enrolled' | 'not-enrolled' | 'impossible' | null
  /** Number of passkeys enrolled for this site. */
  readonly passkeys: number
  /** Whether one of them was created, used or selected in this browser. */
  readonly isChosen: boolean
  /** Whether a held call requires a passkey. */
  readonly isDemanded: boolean
}

/** The banner to show: enrol, add a passkey, choose a passkey, or none. */
export function offerOf({ key, passkeys, isChosen, isDemanded }: Signing): 'enrol' | 'passkey' | 'choose' | null {
  if (key === null) return null
  if (key !== 'enrolled' && !(passkeys > 0 && isChosen)) return 'enrol'
  if (isDemanded && passkeys === 0) return 'passkey'
  return passkeys > 1 && (isDemanded || key !== 'enrolled') ? 'choose' : null
}

/** Why decisions are blocked; null if they are not. A passkey of this site is as good as the browser's key. */
export function blockedReason(link: ConnectionState, { key, passkeys }: Signing): string | null {
  const away = awayWords(link)
  if (away !== null) return away
  if (passkeys > 0 || key === null || key === 'enrolled') return null
  return key === 'impossible'
    ? 'This browser can’t create a signing key. Add a passkey first.'
    : 'This browser can view calls but not decide. Enroll it or add a passkey first.'
}

/** Why accepting tools is blocked; null if it is not. Pins are verified with keys only, so a passkey does not help. */
export function acceptBlockedReason(
  link: ConnectionState,
  { key, passkeys }: Pick<Signing, 'key' | 'passkeys'>,
  command: string | null,
): string | null {
  const away = awayWords(link)
  if (away !== null || key === 'enrolled') return away
  if (key === null) return 'This browser’s key is still loading.'
  const run = `run \`${command ?? 'countersign mcp accept'}\` in a terminal`
  if (passkeys > 0 || key === 'impossible') return `A passkey can’t accept tools. To accept this one, ${run}.`
  return `This browser can’t accept tools yet. Enroll it first, or ${run}.`
}

function awayWords(link: ConnectionState): string | null {
  if (link === 'offline') return 'Offline. You can decide again when the service responds.'
  return link === 'live' ? null : 'Reconnecting. You can decide again when this page is live.'
}
