import { Readable, Writable } from 'node:stream'
import { CountersignError } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import type { Io } from './io.ts'
import { answerJsonLines } from './json-lines.ts'

async function answered(chunks: readonly (string | Uint8Array)[]) {
  let out = ''
  const sink = () => new Writable({ write: (_, __, done) => done() })
  const stdout = new Writable({
    write(chunk, _, done) {
      out += String(chunk)
      done()
    },
  })
  const io = { stdin: Readable.from(chunks), stdout, stderr: sink() } as unknown as Io
  const code = await answerJsonLines(io, (row) => {
    if (row['text'] === 'bad') throw new CountersignError('CS_USAGE', 'no such text')
    return { length: String(row['text']).length }
  })
  return { code, lines: out.split('\n').slice(0, -1) }
}

describe('JSON lines', () => {
  it('are answered in order, however the text is split', async () => {
    const text = '{"id":1,"text":"a"}\n\n{"id":"two","text":"ä\u2028b"}\r\n{"id":3,"text":"abc"}'
    const bytes = new TextEncoder().encode(text)
    for (const size of [1, 7, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, (at + 1) * size),
      )
      expect(await answered(chunks)).toEqual({
        code: 0,
        lines: ['{"id":1,"length":1}', '{"id":"two","length":3}', '{"id":3,"length":3}'],
      })
    }
  })

  it('can start with a byte order mark, and only there', async () => {
    const { code, lines } = await answered(['\ufeff{"id":1,"text":"a"}\n', '{"id":2,"text":"\ufeffb"}\n'])
    expect([code, lines]).toEqual([0, ['{"id":1,"length":1}', '{"id":2,"length":2}']])
    const bytes = new TextEncoder().encode('\ufeff{"id":1,"text":"a"}')
    expect((await answered([...bytes].map((byte) => Uint8Array.of(byte)))).code).toBe(0)
  })

  it('report a bad line on its own line, continue, and exit with 1', async () => {
    const { code, lines } = await answered(['{"id":1\n[]\n{"id":2,"text":"bad"}\n{"id":3,"text":"x"}\n'])
    expect(code).toBe(1)
    expect(lines.map((line) => Object.keys(JSON.parse(line) as object))).toEqual([
      ['id', 'error'],
      ['id', 'error'],
      ['id', 'error'],
      ['id', 'length'],
    ])
    expect(JSON.parse(lines[2] ?? '')).toEqual({ id: 2, error: 'no such text' })
  })
})
