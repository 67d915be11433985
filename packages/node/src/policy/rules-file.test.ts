import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { draftEntry, type RulesClaim, rulesMessage } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openApprover } from '../approvers/decide.ts'
import { openHome } from '../home/home.ts'
import { openGate } from '../open-gate.ts'
import { rulesPath } from './rules-file.ts'

async function place() {
  const folder = temporaryFolder()
  const home = openHome(join(folder, 'home'))
  const workspace = temporaryFolder()
  const { approver, signer } = openApprover(home, { name: 'ana' })
  const opened = () => openGate({ home, workspace, session: 'none', observer: true })
  const { gate, desk, ports } = await opened()
  const { change, rules } = await desk.rules().propose({ kind: 'pause', reason: null, by: 'ana' })
  const said = { code: null, reason: null, approver: approver.id, surface: 'test', at: 1 }
  const claim: RulesClaim = { ...change, ...said }
  const signed = { ...claim, signature: signer.sign(rulesMessage(claim)) }
  return { home, opened, gate, desk, ports, rules, signed }
}

/** What a process leaves behind that dies inside `replace`. */
const DEATH = new Error('killed')

describe('a process that dies while it changes the rules', () => {
  it.each([
    ['before the journal has the change leaves the old rules', false],
    ['after the journal has the change leaves the new ones', true],
  ])('%s', async (_, isRecorded) => {
    const { home, opened, gate, desk, ports, rules, signed } = await place()
    const file = ports.rules
    if (file === undefined) return expect.unreachable()
    await desk.rules().apply(signed, rules)
    const next = (await file.read()) ?? ''
    const text = next.replace('"seq":1', '"seq":2')
    const died = file.exclusively(() =>
      file.replace(2, text, async () => {
        const body = { kind: 'policy-set', call: null, file: ports.crypto.sha256(text) }
        if (isRecorded) await ports.store.commit({ entries: [draftEntry(body, 1, ports.crypto)], durable: true })
        throw DEATH
      }),
    )
    await expect(died).rejects.toBe(DEATH)
    await gate.close()
    const again = await opened()
    expect(await again.ports.rules?.read()).toBe(isRecorded ? text : next)
    expect(existsSync(join(home.dir, 'rules', 'pending'))).toBe(false)
    await again.gate.close()
  })

  it('applies a signed change once, and nothing that was changed after signing', async () => {
    const { home, gate, desk, rules, signed } = await place()
    const forged = { ...signed, what: 'something else' }
    await expect(desk.rules().apply(forged, rules)).rejects.toMatchObject({ code: 'CS_DECISION_FORGED' })
    await expect(desk.rules().apply(signed, `${rules}#`)).rejects.toMatchObject({ code: 'CS_DECISION_FORGED' })
    expect(existsSync(rulesPath(home))).toBe(false)
    await desk.rules().apply(signed, rules)
    await expect(desk.rules().apply(signed, rules)).rejects.toMatchObject({ code: 'CS_STALE' })
    expect(await desk.rules().paused()).toBe('paused by ana')
    await gate.close()
  })
})
