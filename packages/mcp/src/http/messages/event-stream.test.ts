import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventStream, eventBytes, oneLine, type StreamEvent } from './event-stream.ts'

/** Everything a stream returns if it arrives in chunks of these sizes. */
function read(text: string | Buffer, sizes: readonly number[] = []): readonly StreamEvent[] {
  const bytes = Buffer.from(text as string)
  const stream = createEventStream(1024 * 1024)
  const events: StreamEvent[] = []
  let at = 0
  for (const size of sizes) {
    events.push(...stream.push(bytes.subarray(at, at + size)))
    at += size
  }
  events.push(...stream.push(bytes.subarray(at)))
  return events
}

const shown = (events: readonly StreamEvent[]) =>
  events.map(({ data, id, name, retryMs }) => [data?.toString('utf8') ?? null, id, name, retryMs])

const line = fc.constantFrom(
  'data: {"a":1}',
  'data:x',
  'data',
  'id: 7',
  'event: message',
  'event: other',
  'retry: 50',
  ': hello',
  'unknown: 1',
  '',
)
const end = fc.constantFrom('\n', '\r\n', '\r')

describe('an event stream', () => {
  it('returns the same events however it is split, and loses no byte', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, end), { maxLength: 30 }),
        fc.array(fc.nat(9), { maxLength: 60 }),
        (lines, sizes) => {
          const text = lines.flat().join('')
          const whole = read(text)
          const cut = read(text, sizes)
          expect(shown(cut)).toEqual(shown(whole))
          const raw = Buffer.concat(cut.map((event) => event.raw)).toString('utf8')
          expect(text.startsWith(raw)).toBe(true)
        },
      ),
    )
  })

  it.each([
    ['data: {"a":1}\n\n', [['{"a":1}', null, 'message', null]]],
    ['\uFEFFdata: x\n\n', [['x', null, 'message', null]]],
    ['id: 4\nretry: 250\ndata:\n\n', [[null, '4', 'message', 250]]],
    ['event: ping\rdata: a\rdata: b\r\r', [['a\nb', null, 'ping', null]]],
    [
      ': a comment\r\n\r\ndata: x\r\n\r\n',
      [
        [null, null, 'message', null],
        ['x', null, 'message', null],
      ],
    ],
    ['data: never ended', []],
  ])('reads %j', (text, expected) => {
    expect(shown(read(text))).toEqual(expected)
  })

  it('stops at an event that is larger than the limit', () => {
    const stream = createEventStream(100)
    expect(() => stream.push(Buffer.from(`data: ${'x'.repeat(200)}`))).toThrow(RangeError)
  })

  it('writes events that it reads back', () => {
    const json = Buffer.from('{\n  "a": "b\\nc"\r\n}')
    const [event] = read(eventBytes(json, '9'))
    expect(event?.id).toBe('9')
    expect(JSON.parse(event?.data?.toString('utf8') ?? '')).toEqual({ a: 'b\nc' })
    expect(oneLine(json).includes('\n')).toBe(false)
  })
})
