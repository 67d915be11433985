import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headAndTail, lastWords } from '../tools/definition/output-limit.ts'
import { calling, openScene, reader } from './fixture.mts'
import { keepTranscript } from './transcript.ts'

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(3)}F6g7H8`

describe('a transcript', () => {
  it('contains messages, questions and answers, as data and as a page, without secrets', async () => {
    const look = reader('look', () => `token ${SECRET}\n\`\`\`\n# not a heading`)
    const scene = await openScene(calling([['look', { key: SECRET }]]), { tools: [look] })
    const transcript = keepTranscript(scene.agent)
    await scene.agent.say('look')
    const json = transcript.toJson(scene.world.ports.crypto)
    const page = transcript.toMarkdown(scene.world.ports.crypto)
    expect(JSON.parse(json)).toMatchObject({
      version: 1,
      agent: 'clerk',
      messages: [{ role: 'person' }, { role: 'agent', calls: [{ tool: 'look' }] }, { role: 'tool' }, { role: 'agent' }],
      steps: expect.arrayContaining([expect.objectContaining({ kind: 'completed' })]),
    })
    for (const text of [json, page]) {
      expect(text).not.toContain(SECRET)
      expect(text).toContain('[redacted:')
    }
    expect(page).toContain('````\ntoken')
    expect(page).toMatch(/- clerk \*\*judged\*\* `none automatic/)
    transcript.end()
    const before = transcript.steps.length
    await scene.agent.say('again')
    expect(transcript.steps).toHaveLength(before)
  })
})

describe('truncation in a transcript', () => {
  it('20: happens after secrets are replaced, and leaves no terminal sequences', async () => {
    const text = `${'x'.repeat(10_000 - 9)} ${SECRET} ${'y'.repeat(20_000)}\u001b]0;title\u0007\u202e`
    const short = `${'x'.repeat(90)} ${SECRET} ${'y'.repeat(20_000)}`
    const look = reader('look', ({ n }) => (n === 1 ? text : short))
    const scene = await openScene(
      calling([
        ['look', { n: 1 }],
        ['look', { n: 2 }],
      ]),
      { tools: [look] },
    )
    const transcript = keepTranscript(scene.agent)
    await scene.agent.say('\u001b[31mlook')
    const page = transcript.toMarkdown(scene.world.ports.crypto)
    for (const kept of [transcript.toJson(scene.world.ports.crypto), page])
      expect(kept).not.toContain(SECRET.slice(0, 8))
    expect(page).not.toMatch(/\u001b|\u0007|\u202e/)
  })
})

describe('a truncated text', () => {
  it('keeps its start and end, and exceeds the limit by at most the mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 2, max: 200 }), (text, most) => {
        const cut = headAndTail(text, most)
        expect(cut.length).toBeLessThanOrEqual(Math.max(text.length <= most ? text.length : 0, most + 60))
        if (text.length <= most) expect(cut).toBe(text)
        else expect(cut.isWellFormed()).toBe(true)
        expect(lastWords(text, most).length).toBeLessThanOrEqual(Math.max(most, 1))
      }),
    )
  })
})
