import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadPolicy } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Home, openHome } from '../home/home.ts'
import { openCrypto } from '../keys/node-crypto.ts'
import { openParsedFiles } from './parsed-files.ts'
import { openPolicyFiles } from './policy-files.ts'

let home: Home
let folder: string

beforeEach(() => {
  home = openHome(join(temporaryFolder(), 'home'))
  folder = join(home.dir, 'parsed')
})

const key = (at: number) => at.toString(16).padStart(64, '0')
const bytes = Uint8Array.of(0, 255, 7)

describe('kept results of parsing', () => {
  it('are read back as they were written, by this build and this Node only', () => {
    const parsed = openParsedFiles(home, 'one')
    expect(parsed.get(key(1))).toBeUndefined()
    parsed.put(key(1), bytes)
    expect([...(parsed.get(key(1)) ?? [])]).toEqual([...bytes])
    expect(parsed.program).toContain(process.version)
    expect(openParsedFiles(home, 'two').program).not.toBe(parsed.program)
  })

  it('are private, and others’ files are not read', () => {
    const parsed = openParsedFiles(home, 'one')
    parsed.put(key(1), bytes)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, key(1))).mode & 0o777).toBe(0o600)
    chmodSync(join(folder, key(1)), 0o666)
    expect(parsed.get(key(1))).toBeUndefined()
    symlinkSync('/etc/hostname', join(folder, key(2)))
    expect(parsed.get(key(2))).toBeUndefined()
  })

  it('have names that are hashes, wherever a name leads', () => {
    const parsed = openParsedFiles(home, 'one')
    parsed.put('../policy.yaml', bytes)
    expect(readdirSync(home.dir)).not.toContain('policy.yaml')
    expect(parsed.get('../lock.db')).toBeUndefined()
  })

  it('are at most 64: the oldest go', () => {
    const parsed = openParsedFiles(home, 'one')
    for (let at = 0; at < 64; at += 1) {
      parsed.put(key(at), bytes)
      utimesSync(join(folder, key(at)), at, at)
    }
    parsed.put(key(64), bytes)
    expect(readdirSync(folder)).toHaveLength(64)
    expect(parsed.get(key(0))).toBeUndefined()
    expect(parsed.get(key(1))).toBeDefined()
  })

  it('are not needed: a file in the place of the folder changes nothing', () => {
    writeFileSync(folder, '')
    const parsed = openParsedFiles(home, 'one')
    parsed.put(key(1), bytes)
    expect(parsed.get(key(1))).toBeUndefined()
  })

  it('answer for the policy file of a home, until it changes', async () => {
    const workspace = temporaryFolder()
    const policy = join(home.dir, 'policy.yaml')
    const crypto = openCrypto(home)
    const load = async () => {
      const files = openPolicyFiles({ home, workspace, build: 'one' })
      if (files.parsed === undefined) throw new Error('no results are kept')
      return loadPolicy(await files.read(), { checkers: [], crypto, parsed: files.parsed })
    }
    writeFileSync(policy, 'version: 1\npreset: paranoid\n', { mode: 0o600 })
    const first = await load()
    expect(readdirSync(folder)).toHaveLength(1)
    expect(await load()).toStrictEqual(first)
    expect(readdirSync(folder)).toHaveLength(1)
    writeFileSync(policy, 'version: 1\npreset: permissive\n', { mode: 0o600 })
    expect(await load()).toMatchObject({ kind: 'loaded', policy: { row: { preset: 'permissive' } } })
    writeFileSync(policy, 'version: 1\npreset: anything\n', { mode: 0o600 })
    expect(await load()).toMatchObject({ kind: 'refused' })
    expect(await load()).toMatchObject({ kind: 'refused' })
  })

  it('are kept only where a build is known', () => {
    mkdirSync(join(home.dir, 'work'))
    expect(openPolicyFiles({ home, workspace: join(home.dir, 'work') }).parsed).toBeUndefined()
  })
})
