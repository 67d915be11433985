import { type Approver, CountersignError, type SharedRows } from '@countersign/core'
import { keyIdOf } from '@countersign/node'

const CHALLENGE_MS = 300_000
/** EdDSA, ES256 and RS256: what authenticators really have. */
const ALGORITHMS = [-8, -7, -257]

/** Where a passkey belongs: the site, and the origin its pages come from. */
export interface PasskeySite {
  readonly id: string
  readonly origin: string
}

interface Challenge {
  readonly challenge: string
  readonly site: PasskeySite
  readonly until: number
}

/** The making of passkeys: a challenge per browser, for the site it is at, then the credential it made. */
export function createPasskeys(rows: SharedRows, now: () => number) {
  return {
    /** What the browser needs to make one. */
    async begin(browser: string, site: PasskeySite, approvers: readonly Approver[]) {
      const { generateRegistrationOptions } = await import('@simplewebauthn/server')
      const options = await generateRegistrationOptions({
        rpName: 'Countersign',
        rpID: site.id,
        userName: 'approver',
        userDisplayName: 'Countersign approver',
        attestationType: 'none',
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: approvers.flatMap(({ passkey }) =>
          passkey === undefined ? [] : [{ id: passkey.credential }],
        ),
        authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      })
      const challenge: Challenge = { challenge: options.challenge, site, until: now() + CHALLENGE_MS }
      await rows.set(keyOf(browser), JSON.stringify(challenge), CHALLENGE_MS)
      return options
    },
    /** The approver that a made passkey is. SECURITY: one challenge, one answer, from this site, its user verified. */
    async finish(browser: string, name: string, response: unknown): Promise<Approver> {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
      const taken = await rows.take(keyOf(browser))
      const waiting = taken === undefined ? undefined : (JSON.parse(taken) as Challenge)
      if (waiting === undefined || waiting.until <= now()) throw refused()
      const { site } = waiting
      const answer = await verifyRegistrationResponse({
        response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
        expectedChallenge: waiting.challenge,
        expectedOrigin: site.origin,
        expectedRPID: site.id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch((cause: unknown) => {
        throw refused(cause)
      })
      if (!answer.verified) throw refused()
      const { id, publicKey } = answer.registrationInfo.credential
      return {
        id: keyIdOf(publicKey),
        name,
        kind: 'passkey',
        publicKey: Buffer.from(publicKey).toString('base64'),
        passkey: { credential: id, site: site.id, origins: [site.origin] },
      }
    },
  }
}

/** One challenge per browser, at whichever service it was made. */
function keyOf(browser: string): string {
  return `challenge:${browser}`
}

function refused(cause?: unknown): CountersignError {
  return new CountersignError('CS_SIGN_IN', 'the passkey was made for another page, or too late; start again', {
    cause,
  })
}
