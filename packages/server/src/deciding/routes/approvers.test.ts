import { createHash, generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import {
  type Approver,
  type Decision,
  decisionMessage,
  type HeldCallView,
  openView,
  type Receipt,
} from '@countersign/core'
import { enrol, keepApartProof, makeEnrolmentCode, openCrypto, openGate, removeApprover } from '@countersign/node'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { softwarePasskey } from '@countersign/testing/gate/software-passkey'
import { describe, expect, it, onTestFinished } from 'vitest'

const newKey = (): string =>
  generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')

describe('enrolling a browser’s key', () => {
  it('accepts the code from the terminal, once', async () => {
    const world = await openServiceWorld()
    const code = makeEnrolmentCode(world.home, Date.now())
    const body = { name: 'ana’s phone', publicKey: newKey(), code }
    const { approver } = await world.json<{ approver: Approver }>('/approvers', { json: body })
    expect(approver).toMatchObject({
      name: 'ana’s phone',
      kind: 'ed25519',
      id: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    expect(await world.json('/me')).toMatchObject({ name: 'ana’s phone', approver: approver.id })
    expect((await world.fetch('/approvers', { json: { ...body, publicKey: newKey() } })).status).toBe(401)
    expect((await world.entries()).at(-1)).toMatchObject({ kind: 'key-made', key: approver.id, of: 'ed25519' })
  })

  it('is refused without a code, and after five wrong ones even with the right one (A2)', async () => {
    const world = await openServiceWorld()
    const enrolWith = async (code: string) =>
      (await world.fetch('/approvers', { json: { name: 'mallory', publicKey: newKey(), code } })).status
    expect(await enrolWith('')).toBe(401)
    const code = makeEnrolmentCode(world.home, Date.now())
    for (let n = 0; n < 5; n += 1) expect(await enrolWith('aaaaa-aaaaa')).toBe(401)
    expect(await enrolWith(code)).toBe(401)
    expect(await world.json('/me')).toMatchObject({ approvers: [{ name: 'ana' }] })
  })

  it('is refused after ten minutes, and for an invalid key', async () => {
    const world = await openServiceWorld()
    const late = makeEnrolmentCode(world.home, Date.now() - 600_000)
    expect((await world.fetch('/approvers', { json: { name: 'x', publicKey: newKey(), code: late } })).status).toBe(401)
    const code = makeEnrolmentCode(world.home, Date.now())
    for (const publicKey of ['', 'AAAA', `${newKey()} `])
      expect((await world.fetch('/approvers', { json: { name: 'x', publicKey, code } })).status).toBe(400)
  })

  it('is void after the key is removed', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    void gate.ask({ tool: 'jot', args: {} })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    const signed = world.sign(view, { kind: 'approve' })
    expect(removeApprover(world.home, world.approver.approver.id)).toBe(true)
    expect((await world.fetch(`/held/${view.id}/decision`, { json: signed })).status).toBe(422)
  })
})

const DEMANDING = `version: 1
defaults: { passkey: high }
rules:
  - { tool: deploy, supervision: confirm }
`

async function withPasskey(policy?: string) {
  const world = await openServiceWorld(policy === undefined ? {} : { policy })
  const passkey = softwarePasskey(world.service.url)
  const { challenge } = await world.json<{ challenge: string }>('/passkeys/options', { json: {} })
  const { approver } = await world.json<{ approver: Approver }>('/passkeys', {
    json: {
      name: 'ana’s finger',
      code: makeEnrolmentCode(world.home, Date.now()),
      response: passkey.create(challenge),
    },
  })
  return { world, passkey, approver }
}

function decideBy(
  approver: Approver,
  view: HeldCallView,
  decision: Decision,
  world: ServiceWorld,
  answer: (challenge: Uint8Array) => string,
): Promise<Receipt> {
  const { body } = openView(view, openCrypto(world.home))
  const unsigned = {
    held: view.id,
    requestDigest: view.requestDigest,
    nonce: body.nonce,
    decision,
    approver: approver.id,
    surface: 'web',
    at: Date.now(),
  }
  const challenge = createHash('sha256').update(decisionMessage(unsigned)).digest()
  return world.json(`/held/${view.id}/decision`, { json: { ...unsigned, signature: answer(challenge) } })
}

async function heldDeploy(world: ServiceWorld) {
  const gate = await world.connect()
  const asked = gate.ask({ tool: 'deploy', args: { to: 'prod' } })
  const [view] = await world.held(1)
  if (view === undefined) throw new Error('nothing is held')
  return { asked, view }
}

describe('a passkey', () => {
  it('is enrolled with one ceremony and decides with another, for exactly this decision', async () => {
    const { world, passkey, approver } = await withPasskey()
    expect(approver).toMatchObject({ kind: 'passkey', passkey: { credential: passkey.credential, site: 'localhost' } })
    const { asked, view } = await heldDeploy(world)
    expect(await decideBy(approver, view, { kind: 'approve' }, world, passkey.get)).toMatchObject({
      accepted: true,
      by: 'ana’s finger',
    })
    expect(await asked).toMatchObject({ kind: 'permit', approvedBy: 'ana’s finger' })
  })

  it.each<[string, (passkey: ReturnType<typeof softwarePasskey>) => (challenge: Uint8Array) => string]>([
    ['for another decision', (passkey) => () => passkey.get(Buffer.alloc(32))],
    ['from another site', (passkey) => (challenge) => passkey.get(challenge, { from: 'http://evil.example' })],
    ['without user verification', (passkey) => (challenge) => passkey.get(challenge, { verified: false })],
    ['from another passkey', () => softwarePasskey('http://localhost').get],
    ['that is not JSON', () => () => 'nonsense'],
  ])('does not decide with a response %s', async (_, answerOf) => {
    const { world, passkey, approver } = await withPasskey()
    const { view } = await heldDeploy(world)
    expect(await decideBy(approver, view, { kind: 'approve' }, world, answerOf(passkey))).toMatchObject({
      accepted: false,
      state: 'held',
    })
  })

  it('is required if the policy says so, and verified by the process that holds the call', async () => {
    const { world, passkey, approver } = await withPasskey(DEMANDING)
    const { gate } = await openGate({ home: world.home, workspace: world.workspace })
    onTestFinished(() => gate.close())
    const asked = gate.ask({ tool: 'deploy', args: { to: 'prod' } })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    expect(view.verdict.passkey).toBe(true)
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({
      accepted: false,
      message: expect.stringContaining('policy requires a passkey'),
    })
    expect(await decideBy(approver, view, { kind: 'approve' }, world, passkey.get)).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ kind: 'permit', approvedBy: 'ana’s finger' })
  })

  it('is not needed to reject', async () => {
    const world = await openServiceWorld({ policy: DEMANDING })
    const { asked, view } = await heldDeploy(world)
    expect(await world.decide(view, { kind: 'reject' })).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ outcome: 'rejected' })
  })

  it('cannot be imitated by an Ed25519 key', async () => {
    const world = await openServiceWorld({ policy: DEMANDING })
    const { approver } = world.approver
    expect(() => enrol(world.home, { ...approver, kind: 'passkey' })).toThrow()
    const { view } = await heldDeploy(world)
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
  })

  it('is created for one challenge, once, and only with the code', async () => {
    const world = await openServiceWorld()
    const passkey = softwarePasskey(world.service.url)
    const { challenge } = await world.json<{ challenge: string }>('/passkeys/options', { json: {} })
    const wrong = { name: 'x', code: 'aaaaa-aaaaa', response: passkey.create(challenge) }
    expect((await world.fetch('/passkeys', { json: wrong })).status).toBe(401)
    const again = { ...wrong, code: makeEnrolmentCode(world.home, Date.now()) }
    expect((await world.fetch('/passkeys', { json: again })).status).toBe(401)
    expect(await world.json('/me')).toMatchObject({ approvers: [{ name: 'ana' }] })
  })
})

describe('the assurance tier', () => {
  const passkey = {
    id: '6e340b9cffb37a98',
    name: 'ana',
    kind: 'passkey',
    publicKey: 'AA==',
    passkey: { credential: 'x', site: 'localhost', origins: ['http://localhost:4180'] },
  } as const

  it('is T1 until askers are proven to be another user, and T3 only with a required passkey', async () => {
    const world = await openServiceWorld({ policy: 'version: 1\ndefaults: { passkey: high }\n' })
    const tier = async () => (await world.json<{ tier: string }>('/me')).tier
    expect(await tier()).toBe('T1')
    keepApartProof(world.home, { socket: world.service.socket, asker: 54_321, at: Date.now() - 1 })
    expect(await tier()).toBe('T2')
    enrol(world.home, passkey)
    expect(await tier()).toBe('T3')
    writeFileSync(world.home.policy, 'version: 1\n', { mode: 0o600 })
    expect(await tier()).toBe('T2')
    keepApartProof(world.home, { socket: '/elsewhere', asker: 54_321, at: Date.now() - 1 })
    expect(await tier()).toBe('T1')
  })
})
