import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { keyIdOf } from '../keys/key-file.ts'
import { newJoinCode } from './join-code.ts'
import { joinIdOf, makeJoinAnswer, makeJoinRequest, openJoinAnswer, openJoinRequest } from './join-messages.ts'

const code = newJoinCode()
const signer = signerOf(newSeed())
const request = makeJoinRequest(code, 'builder-2', signer)
const list = 'a'.repeat(64)
const refused = expect.objectContaining({ code: 'CS_GATES' })

function secretKey() {
  const bytes = randomBytes(32)
  return { id: keyIdOf(bytes), bytes }
}

const keys = { seal: secretKey(), redaction: secretKey() }
const answer = makeJoinAnswer(code, request.text, { keys, list })

describe('joining a shared store', () => {
  it('hands the shared keys to the gate that asked', () => {
    expect(openJoinRequest(code, request.text)).toEqual({
      id: signer.keyId,
      name: 'builder-2',
      publicKey: signer.publicKey,
    })
    expect(openJoinAnswer(code, request, answer)).toEqual({ keys, list })
  })

  it('takes the code in other groups and capitals', () => {
    const typed = code.toUpperCase().replaceAll('-', ' ')
    expect(joinIdOf(typed)).toBe(joinIdOf(code))
    expect(openJoinRequest(typed, request.text).name).toBe('builder-2')
  })

  it('makes codes that nobody can guess from what lies in the database', () => {
    expect(code).toMatch(/^([a-z2-9]{5}-){3}[a-z2-9]{5}$/)
    expect(new Set(Array.from({ length: 100 }, newJoinCode)).size).toBe(100)
    for (const stored of [joinIdOf(code), request.text, answer]) {
      expect(stored).not.toContain(code)
      expect(stored).not.toContain(code.replaceAll('-', ''))
      expect(stored).not.toContain(Buffer.from(keys.seal.bytes).toString('base64'))
    }
  })

  it('refuses both messages without the code', () => {
    const other = newJoinCode()
    expect(() => openJoinRequest(other, request.text)).toThrow(refused)
    expect(() => makeJoinAnswer(other, request.text, { keys, list })).toThrow(refused)
    expect(() => openJoinAnswer(other, request, answer)).toThrow(refused)
  })

  it('refuses an answer to another request, also with the same code', () => {
    const again = makeJoinRequest(code, 'builder-2', signer)
    expect(() => openJoinAnswer(code, again, answer)).toThrow(refused)
  })

  it('refuses a request whose gate or key was replaced by somebody who can write the database', () => {
    const mine = JSON.parse(makeJoinRequest(newJoinCode(), 'builder-2', signerOf(newSeed())).text)
    const theirs = JSON.parse(request.text)
    for (const field of ['exchange', 'publicKey', 'id', 'name', 'mac']) {
      const mixed = JSON.stringify({ ...theirs, [field]: field === 'name' ? 'mallory' : mine[field] })
      expect(() => openJoinRequest(code, mixed), field).toThrow(refused)
    }
  })

  it('refuses an answer with any changed field', () => {
    const theirs = JSON.parse(answer)
    const other = JSON.parse(makeJoinAnswer(code, request.text, { keys, list: 'b'.repeat(64) }))
    for (const field of ['exchange', 'list', 'box']) {
      const mixed = JSON.stringify({ ...theirs, [field]: other[field] })
      expect(() => openJoinAnswer(code, request, mixed), field).toThrow(refused)
    }
  })

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{}',
    '{"v":1}',
    '{"v":1,"exchange":"AAAA","list":"x","box":"AAAA"}',
    'x'.repeat(9_000),
  ])('refuses garbage: %.30s', (text) => {
    expect(() => openJoinRequest(code, text)).toThrow(refused)
    expect(() => openJoinAnswer(code, request, text)).toThrow(refused)
  })

  it('refuses a key that gives everybody the same secret', () => {
    const low = JSON.stringify({ ...JSON.parse(answer), exchange: Buffer.alloc(32).toString('base64') })
    expect(() => openJoinAnswer(code, request, low)).toThrow(refused)
  })
})
