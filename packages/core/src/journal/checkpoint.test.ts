import { describe, expect, it } from 'vitest'
import { toBase64 } from '../call/base64.ts'
import { keyHash, parseCheckpoint, signCheckpoint, verifierKey, verifyCheckpoint } from './checkpoint.ts'
import { crypto, makeSigner } from './fixture.mts'
import { leafHash, rootOf } from './merkle.ts'
import { frontierOf } from './proof.mts'

const leaves = ['a', 'b', 'c'].map((line) => leafHash(line, crypto))
const head = { size: 3, frontier: frontierOf(leaves, crypto) }
const origin = 'countersign.example/home'

describe('a checkpoint', () => {
  it('is C2SP text: origin, size, root, a blank line, a signature line', () => {
    const signer = makeSigner()
    const root = Buffer.from(rootOf(head.frontier, 3, crypto), 'hex').toString('base64')
    const note = signCheckpoint(head, signer, crypto, origin)
    expect(note.startsWith(`${origin}\n3\n${root}\n\n— ${origin} `)).toBe(true)
    expect(note.split('\n')).toHaveLength(6)
    expect(verifyCheckpoint(note, signer.publicKey, crypto)).toMatchObject({
      origin,
      size: 3,
      root: rootOf(head.frontier, 3, crypto),
    })
  })

  it('names keys like signed notes (test vector from Go’s sumdb/note)', () => {
    const encoded = Buffer.from('ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW', 'base64')
    const key = toBase64(new Uint8Array(encoded.subarray(1)))
    expect(keyHash('PeterNeumann', key, crypto)).toBe('c74f20a3')
    expect(verifierKey('PeterNeumann', key, crypto)).toBe(
      'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
    )
  })

  it('does not verify with another key or with any changed byte', () => {
    const signer = makeSigner()
    const note = signCheckpoint(head, signer, crypto, origin)
    expect(verifyCheckpoint(note, makeSigner().publicKey, crypto)).toBeUndefined()
    for (let at = 0; at < note.length; at++) {
      const changed = note.slice(0, at) + String.fromCharCode(note.charCodeAt(at) ^ 1) + note.slice(at + 1)
      expect(verifyCheckpoint(changed, signer.publicKey, crypto), `byte ${at}`).toBeUndefined()
    }
  })

  it('can carry a witness’s signature next to the gate’s', () => {
    const [signer, witness] = [makeSigner(), makeSigner()]
    const note = signCheckpoint(head, signer, crypto, origin)
    const cosigned = `${note}${signCheckpoint(head, witness, crypto, origin).split('\n\n')[1]}`
    expect(parseCheckpoint(cosigned)?.signatures).toHaveLength(2)
    expect(verifyCheckpoint(cosigned, signer.publicKey, crypto)?.size).toBe(3)
    expect(verifyCheckpoint(cosigned, witness.publicKey, crypto)?.size).toBe(3)
  })

  it('is not parsed from other text', () => {
    const note = signCheckpoint(head, makeSigner(), crypto, origin)
    const root = note.split('\n')[2] ?? ''
    for (const text of [
      '',
      '\n\n',
      note.slice(0, -1),
      note.replace('\n3\n', '\n03\n'),
      note.replace('\n3\n', '\n-3\n'),
      note.replace(root, root.slice(4)),
      `${note}junk\n`,
      'x'.repeat(100_000),
    ]) {
      expect(parseCheckpoint(text)).toBeUndefined()
    }
  })
})
