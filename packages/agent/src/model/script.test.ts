import { simulatedClock } from '@countersign/testing/simulated-clock'
import { describe, expect, it } from 'vitest'
import type { Message, ModelPart } from './model.ts'
import { readScript } from './script.ts'
import { scriptedModel } from './scripted-model.ts'

const SCRIPT = `version: 1
turns:
  - text: I look first.
    calls: [{ tool: read_file, args: { path: notes.txt } }]
    if_refused:
      - text: Then without it.
  - text: Only for cats.
    when: Cat
  - text: Done.
`

async function play(
  model: ReturnType<typeof scriptedModel>,
  messages: readonly Message[],
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of model.turn({ system: '', messages, tools: [] }, new AbortController().signal))
    parts.push(part)
  return parts
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('')
}

const person = (text: string): Message => ({ role: 'person', text })
const answered = (isError: boolean): Message => ({
  role: 'tool',
  results: [{ id: 'call_1_1', tool: 'read_file', text: 'x', isError }],
})
const looked: Message = { role: 'agent', text: 'I look first.', calls: [] }

describe('a scripted model', () => {
  it('plays its turns in order, in chunks, and reports its end', async () => {
    const model = scriptedModel(readScript(SCRIPT, 'demo.yaml'))
    const first = await play(model, [person('go')])
    expect(first).toEqual([
      { kind: 'text', text: 'I ' },
      { kind: 'text', text: 'look ' },
      { kind: 'text', text: 'first.' },
      { kind: 'call', call: { id: 'call_1_1', tool: 'read_file', args: { path: 'notes.txt' } } },
      { kind: 'end', why: 'calls', tokens: { input: 0, output: 0 } },
    ])
    expect(textOf(await play(model, [person('go'), looked, answered(false)]))).toBe('Done.')
    expect(textOf(await play(model, [person('go')]))).toMatch(/the end of the script/)
  })

  it.each<[string, Message]>([
    ['a call was refused', answered(true)],
    ['its question was cancelled', person('{"proceed":false}')],
  ])('takes the other branch if %s, and then continues', async (_, told) => {
    const model = scriptedModel(readScript(SCRIPT, 'demo.yaml'))
    await play(model, [person('go')])
    expect(textOf(await play(model, [person('go'), looked, told]))).toBe('Then without it.')
    expect(textOf(await play(model, [person('go'), looked, told, looked]))).toBe('Done.')
  })

  it('plays a turn only if the person’s message matches', async () => {
    const model = scriptedModel(readScript(SCRIPT, 'demo.yaml'))
    await play(model, [person('feed the CATS')])
    expect(textOf(await play(model, [person('feed the CATS'), looked, answered(false)]))).toBe('Only for cats.')
  })

  it('keeps a pace if told to', async () => {
    const clock = simulatedClock()
    const model = scriptedModel(readScript(SCRIPT, 'demo.yaml'), { paceMs: 100, clock })
    let parts = 0
    const all = (async () => {
      for await (const _ of model.turn({ system: '', messages: [], tools: [] }, new AbortController().signal))
        parts += 1
    })()
    await clock.advance(150)
    expect(parts).toBe(1)
    await clock.advance(1_000)
    await all
    expect(parts).toBe(5)
  })
})

describe('parsing a script', () => {
  it.each([
    ['an unknown key', 'version: 1\nturns:\n  - txt: hello\n', /^demo\.yaml:3:\d+: `turns\.0`/],
    ['a missing version', 'turns: [{ text: a }]\n', /^demo\.yaml:1:1: `version`/],
    ['missing turns', 'version: 1\nturns: []\n', /^demo\.yaml:2:8: `turns`/],
    [
      'a call without a tool',
      'version: 1\nturns:\n  - calls:\n      - args: {}\n',
      /^demo\.yaml:4:\d+: `turns\.0\.calls\.0\.tool`/,
    ],
    ['invalid YAML', 'version: 1\nturns: [\n', /^demo\.yaml:\d+:\d+: .*correct the YAML$/],
    [
      'an invalid branch',
      'version: 1\nturns:\n  - text: a\n    if_refused:\n      - text: 1\n',
      /^demo\.yaml:5:15: `turns\.0\.if_refused\.0\.text`/,
    ],
    ['aliases', `version: 1\nturns: &a\n  - text: a\n    if_refused: *a\n`, /demo\.yaml/],
    ['endless nesting', `version: 1\nturns: ${'['.repeat(5_000)}`, /^demo\.yaml:2:\d+: nested deeper/],
    ['too many values', `version: 1\n#${'x'.repeat(300_000)}`, /over 256 KiB/],
  ])('reports file, line and column (%s)', (_, text, words) => {
    expect(() => readScript(text, 'demo.yaml')).toThrow(
      expect.objectContaining({ code: 'CS_MODEL', message: expect.stringMatching(words) }),
    )
  })
})
