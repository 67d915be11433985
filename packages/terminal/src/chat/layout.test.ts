import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { helpText, matchingCommands, readSlash, SCREEN_COMMANDS } from './composer/slash-commands.ts'
import { layChat } from './layout.ts'

describe('the chat layout', () => {
  it('is always shorter than the screen (43)', () => {
    fc.assert(
      fc.property(
        fc.record({
          rows: fc.integer({ min: 8, max: 80 }),
          isCard: fc.boolean(),
          held: fc.integer({ min: 1, max: 50 }),
          isFull: fc.boolean(),
          written: fc.integer({ min: 1, max: 40 }),
        }),
        (parts) => {
          const { card, live, composer, status, rule } = layChat(parts)
          const bar = parts.isCard && parts.held > 1 ? 1 : 0
          expect(bar + card + live + composer + status + rule).toBeLessThan(parts.rows)
        },
      ),
    )
  })

  it.each([12, 24, 40])('leaves room for a card’s choices at %i rows with 20 held calls', (rows) => {
    expect(layChat({ rows, isCard: true, held: 20, isFull: false, written: 1 }).card).toBeGreaterThanOrEqual(8)
  })
})

describe('slash commands', () => {
  it.each([
    ['/help', { name: 'help', rest: '' }],
    ['/undo 3f2a ', { name: 'undo', rest: '3f2a' }],
    ['//not one', null],
    ['/etc/hosts is a file', null],
    ['what is /help', null],
  ])('parses %s', (text, read) => {
    expect(readSlash(text)).toEqual(read)
  })

  it('are separated in the help from what they do', () => {
    const commands = [
      { name: 'settings', takes: '[tool never]', does: 'show settings' },
      { name: 'undo', does: 'undo the last call' },
    ]
    const [settings, undo] = helpText(commands)
    expect(settings).toMatch(/^\/settings \[tool never\] {2}show settings$/)
    expect(undo?.indexOf('undo the last call')).toBe(settings?.indexOf('show settings'))
  })

  it('offers commands with the same prefix', () => {
    expect(matchingCommands('/q', SCREEN_COMMANDS).map(({ name }) => name)).toEqual(['quit'])
    expect(matchingCommands('/q now', SCREEN_COMMANDS)).toEqual([])
  })
})
