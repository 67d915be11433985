import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RulesProposal, rulesMessage, type Signer } from '@countersign/core'
import { enrol, makeApprover, openAskingToken, openHome } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

async function service() {
  const home = openHome(join(temporaryFolder(), 'home'))
  const world = await openServiceWorld({ home })
  const file = join(home.policyFolder, '50-approvers.yaml')

  const propose = (edit: object, call?: string) =>
    world.json<RulesProposal>('/rules/propose', { json: { edit, ...(call === undefined ? {} : { call }) } })
  const set = (tool: string, supervision: string) => propose({ kind: 'set', conditions: { tool }, supervision })

  function sign({ change, act, code }: RulesProposal, more: object = {}, by: Signer = world.approver.signer) {
    const said = { code: act.typed ? code : null, reason: act.typed ? 'agreed' : null }
    const claim = { ...change, ...said, approver: by.keyId, surface: 'web', at: Date.now(), ...more }
    return { ...claim, signature: by.sign(rulesMessage(claim)) }
  }

  async function apply(signed: object, rules: string) {
    const answer = await world.fetch('/rules/apply', { json: { signed, rules } })
    return { status: answer.status, body: (await answer.json()) as unknown }
  }

  const text = (): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)
  return { world, home, set, propose, sign, apply, text }
}

function stranger(name: string) {
  return makeApprover(openHome(join(temporaryFolder(), 'other')), { name })
}

const FORGED = { status: 422, body: { error: { code: 'CS_DECISION_FORGED' } } }

describe('rules over HTTP', () => {
  it('are proposed with their effect, applied with a signature, listed, and undone', async () => {
    const { world, set, propose, sign, apply } = await service()
    const proposal = await set('deploy', 'deny')
    expect(proposal).toMatchObject({ act: { loosens: false }, change: { what: 'deploy: deny', seq: 1 }, failing: [] })
    expect(await apply(sign(proposal), proposal.rules)).toEqual({ status: 200, body: { change: 1 } })
    expect(await world.json('/rules')).toMatchObject({
      paused: null,
      rules: [{ tool: 'deploy', supervision: 'deny' }],
      changes: [{ seq: 1, act: 'set', what: 'deploy: deny', surface: 'web', undoes: null }],
    })
    const undo = await propose({ kind: 'undo', seq: null })
    expect(await apply(sign(undo), undo.rules)).toMatchObject({ status: 200 })
    expect(await world.json('/rules')).toMatchObject({ rules: [], changes: [{ seq: 1 }, { seq: 2, undoes: 1 }] })
  })

  it('pause every agent, and end the pause only with a signature', async () => {
    const { world, propose, sign, apply } = await service()
    const pause = await propose({ kind: 'pause', reason: null, by: 'Ana' })
    expect(pause.act).toMatchObject({ loosens: false, typed: false })
    expect(await apply(sign(pause), pause.rules)).toMatchObject({ status: 200 })
    expect(await world.json('/rules')).toMatchObject({ paused: 'paused by Ana' })
    const resume = await propose({ kind: 'resume' })
    expect(resume.act).toMatchObject({ loosens: true })
    const { signature: _, ...unsigned } = sign(resume)
    expect((await apply({ ...unsigned, signature: 'AA' }, resume.rules)).status).toBe(422)
    expect(await world.json('/rules')).toMatchObject({ paused: 'paused by Ana' })
    expect(await apply(sign(resume), resume.rules)).toMatchObject({ status: 200 })
    expect(await world.json('/rules')).toMatchObject({ paused: null })
  })

  it('change nothing unsigned, forged, altered, late, or without the code and a reason', async () => {
    const { world, home, set, sign, apply, text } = await service()
    const proposal = await set('list_files', 'automatic')
    const good = sign(proposal)
    const { signature: _, ...unsigned } = good
    const other = await set('*', 'automatic')
    const ben = stranger('ben')
    enrol(home, ben.approver)
    const attempts: readonly [object, string, object][] = [
      [unsigned, proposal.rules, { status: 400 }],
      [{ ...good, signature: '' }, proposal.rules, FORGED],
      [{ ...good, surface: 'cli' }, proposal.rules, FORGED],
      [good, `${proposal.rules}# more\n`, FORGED],
      [good, other.rules, FORGED],
      [sign(proposal, {}, stranger('eve').signer), proposal.rules, FORGED],
      [sign(proposal, { at: Date.now() - 600_000 }), proposal.rules, { status: 409 }],
      [sign(proposal, { seq: 7 }), proposal.rules, { status: 409 }],
    ]
    for (const [signed, rules, expected] of attempts) expect(await apply(signed, rules)).toMatchObject(expected)
    expect(text()).toBeNull()
    const manual = await set('deploy', 'manual')
    expect(await apply(sign(manual), manual.rules)).toMatchObject({ status: 200 })
    const before = text()
    const loosened = await set('deploy', 'automatic')
    expect(loosened.act).toMatchObject({ loosens: true, typed: true })
    for (const more of [{ code: null }, { code: 'aaaa' }, { reason: null }, { reason: ' ' }])
      expect(await apply(sign(loosened, more), loosened.rules)).toMatchObject({ status: 400 })
    // The sign-in has signed with Ana’s key: another person’s signature is not hers.
    expect(await apply(sign(loosened, {}, ben.signer), loosened.rules)).toMatchObject(FORGED)
    expect(text()).toBe(before)
    const { entries } = await world.json<{ readonly entries: readonly { readonly kind: string }[] }>('/journal')
    expect(entries.filter(({ kind }) => kind === 'decision-refused').length).toBeGreaterThan(0)
    expect(entries.filter(({ kind }) => kind === 'policy-set')).toHaveLength(1)
  })

  it('are out of reach for an asker, by its token and by its session', async () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const world = await openServiceWorld({ home, askingPort: 0 })
    const gate = await world.connect()
    const json = { edit: { kind: 'set', conditions: { tool: 'deploy' }, supervision: 'automatic' } }
    const { change, rules } = await world.json<RulesProposal>('/rules/propose', { json })
    const claim = { ...change, code: null, reason: null, surface: 'web', at: Date.now() }
    const signed = { ...claim, approver: world.approver.signer.keyId, signature: 'AAAA' }
    for (const shown of [openAskingToken(home).token, gate.session]) {
      const headers = { authorization: `Bearer ${shown}` }
      for (const [path, body] of [['propose', json] as const, ['apply', { signed, rules }] as const])
        expect((await world.fetch(`/rules/${path}`, { json: body, headers })).status).toBe(403)
    }
    expect(existsSync(join(home.policyFolder, '50-approvers.yaml'))).toBe(false)
    gate.close()
  })

  it('are closed to whoever is not signed in, and accept no other kind of edit', async () => {
    const { world, set, sign, apply, text } = await service()
    const proposal = await set('list_files', 'automatic')
    for (const path of ['/rules', '/rules/propose', '/rules/apply']) {
      const json = { signed: sign(proposal), rules: proposal.rules }
      const answer = await world.fetch(path, { headers: { cookie: '' }, ...(path === '/rules' ? {} : { json }) })
      expect(answer.status, path).toBe(401)
    }
    for (const edit of [{ kind: 'add', rules: [], from: 'x' }, { kind: 'pause' }, { kind: 'sign' }])
      expect((await world.fetch('/rules/propose', { json: { edit } })).status).toBe(400)
    expect((await apply({}, '')).status).toBe(400)
    expect(text()).toBeNull()
  })
})
