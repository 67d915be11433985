import { describe, expect, it } from 'vitest'
import { maskText } from './mask.ts'
import { comparableMasks } from './masked-lines.ts'

const masksOf = (...texts: readonly string[]) =>
  comparableMasks(texts.map((text) => ({ text, masked: maskText(text, 'any').value })))

describe('masks of texts that are compared', () => {
  it('differ where a secret differs, and are the same where it does not', () => {
    expect(masksOf('A=1\nSECRET=1\n', 'A=1\nSECRET=2\n')).toEqual([
      'A=1\nSECRET=[masked secret, 1 characters]\n',
      'A=1\nSECRET=[masked secret, 1 characters, value 2]\n',
    ])
    const [before, after] = masksOf('SECRET=1\n', 'B=2\nSECRET=1\n')
    expect(after).toBe(`B=2\n${before}`)
  })

  it('differ where two secrets are swapped', () => {
    const [before, after] = masksOf('[a]\nPASSWORD=x1\n[b]\nPASSWORD=y2', '[a]\nPASSWORD=y2\n[b]\nPASSWORD=x1')
    expect(before).not.toBe(after)
    expect(`${before}${after}`).not.toMatch(/x1|y2/)
  })
})
