import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Approver } from '@countersign/core'
import { makeEnrolmentCode } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { softwarePasskey } from '@countersign/testing/gate/software-passkey'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'

describe('the suggested command for a tool', () => {
  it.each<[string, string, string | null]>([
    ['send', 'mail', 'countersign policy explain send --server mail'],
    ['$(touch pwned)', 'srv', "countersign policy explain '$(touch pwned)' --server srv"],
    ['`touch pwned`', "it's", `countersign policy explain '\`touch pwned\`' --server 'it'\\''s'`],
    ['--help', 'srv', null],
    ['send', '--server', null],
    ['\u202esend', 'srv', null],
  ])('runs nothing from a name such as `%s` of `%s` (A1)', async (name, server, command) => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    await gate.ask({ tool: { name, server }, args: {}, source: 'mcp', timeoutMs: 1 })
    gate.close()
    const { tools } = await world.json<{ tools: { name: string; command: string | null }[] }>('/tools')
    const shown = tools.find((tool) => tool.name === name)?.command ?? null
    expect(shown).toBe(command)
    if (shown === null) return
    const cwd = temporaryFolder()
    const words = execFileSync('sh', ['-c', `countersign() { printf '%s\\n' "$@"; }; ${shown}`], {
      cwd,
      encoding: 'utf8',
    })
    expect(words.trim().split('\n')).toEqual(['policy', 'explain', name, '--server', server])
    expect(existsSync(join(cwd, 'pwned'))).toBe(false)
  })
})

describe('earlier calls of a tool', () => {
  it('include expired ones', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    expect(await gate.ask({ id: 'late', tool: 'deploy', args: {}, timeoutMs: 1 })).toMatchObject({ outcome: 'expired' })
    void gate.ask({ id: 'now', tool: 'deploy', args: {} })
    await world.held(1)
    const { calls } = await world.json<{ calls: unknown[] }>('/held/now/similar')
    expect(calls).toMatchObject([{ id: 'late', outcome: 'expired', decision: null }])
    gate.close()
  })
})

describe('an unknown field', () => {
  it.each<[string, object, string]>([
    ['in the body', { ticket: 'x', more: 1 }, '`more` is invalid'],
    ['that is hidden', { ticket: 'x', '\u202emore': 1 }, '`⟦U+202E⟧more` is invalid'],
  ])('%s is reported by name', async (_, json, words) => {
    const world = await openServiceWorld()
    const { error } = await world.json<{ error: { message: string } }>('/sign-in', { json })
    expect(error.message).toContain(words)
  })

  it('in a decision is reported with its path', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    void gate.ask({ tool: 'deploy', args: {} })
    const [view] = await world.held(1)
    if (view === undefined) throw new Error('nothing is held')
    const signed = world.sign(view, { kind: 'approve' })
    const json = { ...signed, decision: { ...signed.decision, grants: [] } }
    const { error } = await world.json<{ error: { message: string } }>(`/held/${view.id}/decision`, { json })
    expect(error.message).toContain('`decision.grants` is invalid')
    gate.close()
  })
})

describe('a passkey with a public URL', () => {
  it('is created for the page that requests it', async () => {
    const world = await openServiceWorld({ publicUrl: new URL('https://gate.example') })
    for (const [origin, id] of [
      [world.service.url, 'localhost'],
      ['https://gate.example', 'gate.example'],
    ] as const) {
      const headers = { origin }
      const options = await world.json<{ challenge: string; rp: { id: string } }>('/passkeys/options', {
        json: {},
        headers,
      })
      expect(options.rp.id).toBe(id)
      const response = softwarePasskey(origin, id).create(options.challenge)
      const code = makeEnrolmentCode(world.home, Date.now())
      const json = { name: id, code, response }
      const { approver } = await world.json<{ approver: Approver }>('/passkeys', { json, headers })
      expect(approver).toMatchObject({ passkey: { site: id, origins: [origin] } })
    }
  })
})
