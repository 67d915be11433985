import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { ParsedFiles, PolicyFile } from '../../ports/policy-files.ts'
import { PRESETS } from '../presets/compiled/presets.ts'
import { parsedOnce } from './parsed-policy.ts'
import { loadPolicy } from './policy.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A home's keys: only what the same home sealed is opened. */
function cryptoOf(home: string): Crypto {
  const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex')
  return {
    sha256,
    seal: (text: string) => encoder.encode(`${sha256(home + text)}${text}`),
    unseal: (sealed: Uint8Array) => {
      const text = decoder.decode(sealed)
      if (text.slice(0, 64) !== sha256(home + text.slice(64))) throw new Error('changed')
      return text.slice(64)
    },
  } as unknown as Crypto
}

function memory(program = 'build 1'): ParsedFiles & { readonly rows: Map<string, Uint8Array> } {
  const rows = new Map<string, Uint8Array>()
  return { program, rows, get: (key) => rows.get(key), put: (key, sealed) => void rows.set(key, sealed) }
}

const crypto = cryptoOf('home')
const TEXT = `version: 1
preset: paranoid
defaults: { timeout: 30m, passkey: high, backups: { keep: 7d, most: 1GB } }
network: [registry.npmjs.org, documentation]
thresholds: { records: 50 }
servers: { files: { trust: hints } }
tools: { read_file: automatic, deploy: manual }
never_allow: ["format_*"]
checkers: { ticket: { run: [/usr/bin/true], timeout: 5s } }
limits: { calls: 200/h }
rules:
  - id: reads
    kind: read
    path: { inside: "\${workspace}", except: ["**/.env*"] }
    supervision: automatic
    contain: { network: [example.com] }
    checks: [ticket, { size: { most: 5MB } }]
  - id: nights
    any: [{ tool: "deploy*" }, { args: { limit: { above: 100 }, name: { regex: "^a+$" } } }]
    unless: { agent: ci }
    hours: { outside: "08:00-20:00", zone: Europe/Vienna, days: mon-fri }
    supervision: deny
    reason: deploys wait
tests:
  - call: { tool: execute_command, args: { command: rm -rf build } }
    expect: { supervision: manual, risk: high }
`
const user = (text = TEXT): PolicyFile => ({ layer: 'user', name: 'policy.yaml', text, trusted: false })

/** Loads a file and tells whether it was parsed. */
function look(file: PolicyFile, parsed: ParsedFiles, keys = crypto, inputs: readonly string[] = ['backup']) {
  let parses = 0
  const parse = () => {
    parses += 1
    return { kind: 'loaded' as const, rules: [file.text] }
  }
  const result = parsedOnce(file, inputs, parse, { crypto: keys, parsed })
  expect(result).toEqual({ kind: 'loaded', rules: [file.text] })
  return parses === 1
}

describe('results of parsing', () => {
  it('give the same policy as the file, for every kind of key', () => {
    const simple = 'version: 1\nrules: [{ id: ask, kind: write, supervision: confirm }]\n'
    for (const text of [TEXT, simple, ...Object.keys(PRESETS).map((name) => `version: 1\npreset: ${name}\n`)]) {
      const parsed = memory()
      const options = { checkers: ['backup', 'size'], crypto }
      const bare = loadPolicy([user(text)], options)
      expect(bare.problems).toEqual([])
      expect(loadPolicy([user(text)], { ...options, parsed })).toStrictEqual(bare)
      expect(parsed.rows.size).toBe(1)
      expect(loadPolicy([user(text)], { ...options, parsed })).toStrictEqual(bare)
    }
  })

  it('are used again for the same input only', () => {
    const parsed = memory()
    expect(look(user(), parsed)).toBe(true)
    expect(look(user(), parsed)).toBe(false)
    expect(look(user(`${TEXT} `), parsed)).toBe(true)
    expect(look({ ...user(), name: 'other.yaml' }, parsed)).toBe(true)
    expect(look({ ...user(), layer: 'project' }, parsed)).toBe(true)
    expect(look({ ...user(), form: 'knowledge' }, parsed)).toBe(true)
    expect(look(user(), parsed, crypto, ['backup', 'ticket'])).toBe(true)
    expect(look(user(), { ...parsed, program: 'build 2' })).toBe(true)
    expect(look(user(), parsed)).toBe(false)
  })

  it('don’t count when another home sealed them, when they were changed, and under another key', () => {
    const parsed = memory()
    look(user(), parsed)
    expect(look(user(), parsed, cryptoOf('another home'))).toBe(true)
    look(user(), parsed)
    const [key = ''] = parsed.rows.keys()
    const sealed = parsed.rows.get(key) ?? new Uint8Array()
    for (const forged of [
      encoder.encode('{}'),
      sealed.slice(0, -1),
      sealed.map((byte, at) => (at === 80 ? byte ^ 1 : byte)),
      crypto.seal('{"kind":"loaded","rules":[]}'),
      crypto.seal(JSON.stringify({ key, result: { kind: 'loaded', rules: [] } })),
    ]) {
      parsed.rows.set(key, forged)
      expect(look(user(), parsed)).toBe(true)
    }
    look(user('version: 1\n'), parsed)
    const other = [...parsed.rows.keys()].find((one) => one !== key) ?? ''
    parsed.rows.set(other, sealed)
    expect(look(user('version: 1\n'), parsed)).toBe(true)
  })

  it('are never kept for an organization’s file, for an invalid one, and where JSON would lose something', () => {
    const parsed = memory()
    expect(look({ ...user(), layer: 'managed' }, parsed)).toBe(true)
    expect(look({ ...user(), layer: 'managed' }, parsed)).toBe(true)
    const options = { crypto, parsed }
    for (const result of [
      { kind: 'refused' as const, problems: [] },
      { kind: 'loaded' as const, rules: new Set([1]) },
      { kind: 'loaded' as const, rules: [{ at: undefined }] },
      { kind: 'loaded' as const, rules: [Number.NaN] },
    ])
      parsedOnce<{ readonly kind: 'loaded' | 'refused' }>(user(), [], () => result, options)
    expect(parsed.rows.size).toBe(0)
  })
})
