import { describe, expect, it } from 'vitest'
import { compareDefinitions } from './compare-definitions.ts'

const READ = { name: 'read', description: 'Reads.\nA note.', inputSchema: { type: 'object' } }

describe('the definition of a tool', () => {
  it('is shown in full if none was accepted before', () => {
    expect(compareDefinitions(null, READ)).toEqual({
      kind: 'whole',
      text: 'name:\n  | read\ndescription:\n  | Reads.\n  | A note.\ninputSchema:\n  | {\n  |   "type": "object"\n  | }\n',
    })
  })

  it('is shown as a diff if one was accepted', () => {
    const change = compareDefinitions(READ, { ...READ, description: 'Reads.\nEverything.' })
    if (change.kind === 'whole') expect.fail('it was not compared')
    expect(change).toMatchObject({ added: 1, removed: 1 })
    expect(change.hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: '  | A note.' },
      { kind: 'added', text: '  | Everything.' },
    ])
  })

  it('is shown in full if a diff would omit something', () => {
    const long = (mark: string) => Array.from({ length: 3000 }, (_, at) => `${mark} ${at}`).join('\n')
    const change = compareDefinitions({ name: 'x', description: long('a') }, { name: 'x', description: long('b') })
    expect(change.kind === 'whole' && change.text.includes('| b 1500\n')).toBe(true)
  })
})
