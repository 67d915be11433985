import { describe, expect, it } from 'vitest'
import { decodeKeys, endsOpen } from './key.ts'

describe('keys', () => {
  it.each([
    ['y', ['y']],
    ['ü', ['ü']],
    ['\r', ['enter']],
    ['\x1b', ['escape']],
    ['\x1b[A', ['next']],
    ['\x1bOB', ['next']],
    ['\t', ['next']],
    ['\x03', ['interrupt']],
    ['\x15', ['clear']],
    ['\x7f', ['backspace']],
    ['\x1b[200~', ['paste']],
    ['\x1b[200~y\r\x1b[201~', ['paste']],
    ['a\x1b[200~y\x1b[201~b', ['a', 'paste', 'b']],
    ['\x1b[6~', ['other']],
    ['\x1b]0;title\x07', ['other']],
    ['\u202e', ['other']],
    ['\x00', ['other']],
    ['yn', ['y', 'n']],
    ['\x1b\x1b', ['escape', 'escape']],
  ])('reads %j as %j', (chunk, keys) => {
    expect(decodeKeys(chunk).map((key) => (key.kind === 'text' ? key.text : key.kind))).toEqual(keys)
  })

  it('returns the direction of an arrow, and of page keys', () => {
    expect(decodeKeys('\x1b[A\x1bOB\x1b[5~\x1b[F')).toEqual([
      { kind: 'next', arrow: 'up' },
      { kind: 'next', arrow: 'down' },
      { kind: 'other', name: 'page-up' },
      { kind: 'other', name: 'end' },
    ])
  })

  it.each([
    ['\x1b', true],
    ['\x1b[', true],
    ['\x1b[1;', true],
    ['\x1bO', true],
    ['\x1b[A', false],
    ['y', false],
  ])('reports whether more may follow %j: %s', (chunk, open) => {
    expect(endsOpen(chunk)).toBe(open)
  })
})
