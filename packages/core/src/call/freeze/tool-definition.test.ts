import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { definitionHash, freezeDefinition } from './tool-definition.ts'

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')

describe('a tool’s definition', () => {
  it('has one hash, frozen or not, in any key order', () => {
    const given = { name: 'search', inputSchema: { type: 'object', properties: {} } }
    const other = { inputSchema: { properties: {}, type: 'object' }, name: 'search' }
    const hash = definitionHash(given, { sha256 })
    expect(definitionHash(other, { sha256 })).toBe(hash)
    expect(definitionHash(freezeDefinition(given), { sha256 })).toBe(hash)
  })

  it('is hashed once if it was frozen here, and every time otherwise', () => {
    const crypto = { sha256: vi.fn(sha256) }
    const frozen = freezeDefinition({ name: 'search' })
    for (let turn = 0; turn < 3; turn += 1) definitionHash(frozen, crypto)
    expect(crypto.sha256).toHaveBeenCalledTimes(1)
    for (let turn = 0; turn < 3; turn += 1) definitionHash({ name: 'search' }, crypto)
    expect(crypto.sha256).toHaveBeenCalledTimes(4)
  })

  it('is hashed again if another party froze it, because it may still change', () => {
    const inner = { type: 'object' }
    const shallow = Object.freeze({ name: 'search', inputSchema: inner })
    const before = definitionHash(shallow, { sha256 })
    inner.type = 'string'
    expect(definitionHash(shallow, { sha256 })).not.toBe(before)
  })

  it('cannot be changed through the copy or the original', () => {
    const given = { name: 'search', tags: ['a'] }
    const frozen = freezeDefinition(given) as { tags: string[] }
    const before = definitionHash(frozen, { sha256 })
    given.tags.push('b')
    expect(() => frozen.tags.push('b')).toThrow(TypeError)
    expect(definitionHash(frozen, { sha256 })).toBe(before)
    expect(before).toBe(definitionHash({ name: 'search', tags: ['a'] }, { sha256 }))
  })
})
