import {
  type Approver,
  CountersignError,
  draftEntry,
  type EntryBody,
  formatProblem,
  publicFields,
  redactJson,
} from '@countersign/core'
import {
  controlService,
  enrol,
  isApart,
  keyIdOf,
  provePasskey,
  spendEnrolmentCode,
  type Tier,
  tierOf,
} from '@countersign/node'
import type { Context } from 'hono'
import { type DecidingApp, defineRoute } from '../api/define-route.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import { Enrol, Enrolled, EnrolPasskey, Me, PasskeyOptions } from '../api/schemas.ts'
import { createPasskeys, type PasskeySite } from '../auth/passkey-registration.ts'

/** Who decides: what this browser is known as, and how its key or a passkey is enrolled. */
export function addApproverRoutes(app: DecidingApp, parts: DecidingParts): void {
  const { home, main, signIn, now, publicUrl, sites } = parts
  const { approvers, store, crypto } = main.ports
  const passkeys = createPasskeys(parts.rows, now)
  const tier = createTier(parts)

  /** The site this page is at: by its Origin, which a read may lack; then by the name it was reached as. */
  function siteOf(c: Context): PasskeySite {
    const reached = `//${c.req.header('host')}`
    const at = c.req.header('origin') ?? sites.find(({ origin }) => origin.endsWith(reached))?.origin
    return sites.find(({ origin }) => origin === at) ?? sites[0]
  }

  /** SECURITY: A2 the code comes from a terminal; the entry is on disk before the key counts. */
  async function take(approver: Approver, code: string, signedIn: string): Promise<Approver> {
    spendEnrolmentCode(home, code, now())
    const { id, name, kind = 'ed25519' } = approver
    const body = { kind: 'key-made', call: null, key: id, name, of: kind, surface: 'web' }
    const entry = { ...(redactJson(body, crypto) as EntryBody), ...publicFields(approver) }
    await store.commit({ entries: [draftEntry(entry, now())], durable: true })
    enrol(home, approver)
    await signIn.note(signedIn, id)
    return approver
  }

  defineRoute(
    app,
    { method: 'get', path: '/me', summary: 'Who is signed in, and who can decide', answer: Me },
    async (c) => {
      const { approver, expiresAt } = c.get('signedIn')
      const all = await approvers.list()
      return c.json({
        name: all.find(({ id }) => id === approver)?.name ?? null,
        approver,
        approvers: all.map(shown),
        tier: await tier(),
        version: parts.version,
        publicUrl: publicUrl?.origin ?? null,
        preset: main.gate.preset(),
        policyProblems: (await main.gate.policyProblems()).map(formatProblem),
        passkey: { site: siteOf(c).id },
        expiresAt,
        now: now(),
      })
    },
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/approvers',
      summary: 'Enroll this browser’s Ed25519 key, with the code from `countersign approvers add`',
      body: Enrol,
      answer: Enrolled,
    },
    async (c, { body }) => {
      const raw = Buffer.from(body.publicKey, 'base64')
      if (raw.length !== 32 || raw.toString('base64') !== body.publicKey)
        throw new CountersignError('CS_KEY', 'the public key is not 32 bytes of base64; send the raw Ed25519 key')
      const approver = { id: keyIdOf(raw), name: body.name, publicKey: body.publicKey }
      return c.json({ approver: shown(await take(approver, body.code, c.get('signedIn').id)) })
    },
  )

  defineRoute(
    app,
    { method: 'post', path: '/passkeys/options', summary: 'Start creating a passkey', answer: PasskeyOptions },
    async (c) => c.json(await passkeys.begin(c.get('signedIn').id, siteOf(c), await approvers.list())),
  )

  defineRoute(
    app,
    {
      method: 'post',
      path: '/passkeys',
      summary: 'Enroll the created passkey, with the code from `countersign approvers add`',
      body: EnrolPasskey,
      answer: Enrolled,
    },
    async (c, { body }) => {
      const { id } = c.get('signedIn')
      const approver = await passkeys.finish(id, body.name, body.response)
      return c.json({ approver: shown(await take(approver, body.code, id)) })
    },
  )
}

function shown(approver: Approver) {
  return { ...approver, kind: approver.kind ?? 'ed25519' }
}

/**
 * The tier this service can stand by: T1, unless `countersign doctor --as` has proven that askers are another user; then
 * T3 where a decision without a passkey is refused from high on, which is tried again whenever policy or keys change.
 */
function createTier({ home, main, now }: Pick<DecidingParts, 'home' | 'main' | 'now'>): () => Promise<Tier> {
  const { approvers, policyFiles } = main.ports
  let known: { readonly of: string; readonly passkey: Promise<boolean> } | undefined

  async function hasPasskey(): Promise<boolean> {
    const of = JSON.stringify([policyFiles.version(), (await approvers.list()).map(({ id }) => id)])
    if (known?.of !== of) known = { of, passkey: provePasskey(home, { policyFiles }).then(isProven, () => false) }
    return known.passkey
  }

  return async () => {
    const answer = await controlService(home, { do: 'status' }).catch(() => undefined)
    const apart = answer !== undefined && 'status' in answer && isApart(home, answer.status.socket, now())
    if (!apart) return tierOf({ asker: 'same user', passkey: false })
    return tierOf({ asker: 'other user', passkey: await hasPasskey().catch(() => false) })
  }
}

function isProven({ demanded, enrolled }: Awaited<ReturnType<typeof provePasskey>>): boolean {
  return demanded.holds && enrolled.holds
}
