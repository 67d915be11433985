import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApprover, openCrypto, openGateKey, openHome } from '@countersign/node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { serverIdentity } from '../identity/server-identity.ts'
import { acceptTools, forgetTools } from './accept.ts'
import { createCatalogue } from './create-catalogue.ts'
import { labelPath, mcpFolder } from './label-files.ts'
import { hashOf } from './pin-files.ts'
import { signFirst } from './signature.ts'
import { knownLabels, viewLabel } from './view.ts'

const READ = { name: 'read', description: 'Reads.', inputSchema: { type: 'object' } }
const OWN = ['/opt/github-mcp']
const OTHER = ['/opt/evil-mcp']

function place() {
  const home = openHome(join(temporaryFolder(), 'home'))
  const crypto = openCrypto(home)
  const start = (label: string, command: readonly string[]) =>
    createCatalogue({
      home,
      label,
      server: serverIdentity({ command }, crypto),
      crypto,
      now: () => 1,
      report: async () => undefined,
    })
  const meet = async (label: string, command: readonly string[]) => {
    const catalogue = start(label, command)
    await catalogue.take({ tools: [READ] }, { cursor: null })
    return catalogue.find('read')
  }
  /** Pins written by a version with case-sensitive labels. */
  const keepOld = (label: string, command: readonly string[]) => {
    const identity = serverIdentity({ command }, crypto)
    const pairs = [['read', hashOf(READ, crypto)]] as const
    const first = signFirst({ label, server: identity.hash }, pairs, openGateKey(home), 1)
    const tools = [{ name: 'read', definition: READ, acceptance: null }]
    mkdirSync(mcpFolder(home), { recursive: true, mode: 0o700 })
    const file = { version: 1, label, servers: [{ identity, first, tools }] }
    writeFileSync(labelPath(home, label, 'pins', crypto), JSON.stringify(file), { mode: 0o600 })
  }
  return { home, crypto, start, meet, keepOld }
}

describe('the spelling of a label', () => {
  it('A20 does not turn another server with the same name into a first contact', async () => {
    const { meet } = place()
    expect((await meet('github', OWN)).kind).toBe('accepted')
    const posing = { kind: 'quarantined', why: 'another server was accepted under this name' }
    for (const label of ['GitHub', 'GITHUB', 'github']) expect(await meet(label, OTHER)).toMatchObject(posing)
    expect((await meet('GitHub', OWN)).kind).toBe('accepted')
  })

  it('is the same for accept, list and forget', async () => {
    const { home, crypto, meet, start } = place()
    await meet('GitHub', OWN)
    await meet('github', OTHER)
    expect(knownLabels(home)).toEqual(['github'])
    const waits = viewLabel(home, 'GITHUB', crypto).servers.find(({ firstAt }) => firstAt === null)
    const [tool] = waits?.tools ?? []
    const shown = { server: waits?.identity.hash ?? '', name: 'read', hash: tool?.waiting?.hash ?? '' }
    acceptTools(home, 'GitHub', [shown], { signer: openApprover(home, { name: 'ana' }).signer, at: 2, crypto })
    expect((await meet('github', OTHER)).kind).toBe('accepted')
    expect(forgetTools(home, 'GitHub', null, crypto)).toBe(true)
    expect(start('github', OTHER).find('read').kind).not.toBe('accepted')
  })

  it('is kept if it had capitals before, and applies to every other spelling', async () => {
    const { home, meet, keepOld } = place()
    keepOld('GitHub', OWN)
    expect((await meet('github', OWN)).kind).toBe('accepted')
    expect((await meet('GitHub', OTHER)).kind).toBe('quarantined')
    expect((await meet('github', OTHER)).kind).toBe('quarantined')
    expect(knownLabels(home)).toEqual(['GitHub'])
  })

  it('accepts nothing if two were kept, until a person forgets one', async () => {
    const { home, crypto, meet, keepOld } = place()
    keepOld('GitHub', OTHER)
    keepOld('github', OWN)
    const why = expect.stringContaining('which are the same name in policies')
    expect(await meet('github', OWN)).toMatchObject({ kind: 'quarantined', why })
    expect(viewLabel(home, 'github', crypto).broken).toEqual(why)
    forgetTools(home, 'GitHub', null, crypto)
    expect((await meet('github', OWN)).kind).toBe('accepted')
    expect((await meet('GitHub', OTHER)).kind).toBe('quarantined')
  })
})
