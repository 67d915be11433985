import { describe, expect, it } from 'vitest'
import { memoryTerminal } from '../prompt/fixture.mts'
import { askHidden } from './hidden-input.ts'

function asked(take = (text: string) => text) {
  const terminal = memoryTerminal()
  return { terminal, answer: askHidden(terminal, 'word: ', take) }
}

describe('a hidden prompt', () => {
  it('reads a line, with backspace, and shows none of it', async () => {
    const { terminal, answer } = asked()
    expect(terminal.isRaw).toBe(true)
    for (const key of ['correct', ' horsex', '\x7f', '\x1b[C', '\t', '\r']) terminal.type(key)
    expect(await answer).toBe('correct horse')
    expect(terminal.written()).toBe('word: \n')
    expect(terminal.isRaw).toBe(false)
  })

  it.each([
    ['Ctrl-U', 'wrong\x15right\r', 'right'],
    ['characters of any Unicode plane', 'ä😀x\x7f\r', 'ä😀'],
    ['a paste, up to its first line end', 'one\rtwo\r', 'one'],
    ['Esc', 'x\x1b', null],
    ['Ctrl-C', 'x\x03', null],
  ])('handles %s', async (_, typed, expected) => {
    const { terminal, answer } = asked()
    terminal.type(typed)
    expect(await answer).toBe(expected)
  })

  it('ends when the terminal disappears', async () => {
    const { terminal, answer } = asked()
    terminal.hangUp()
    expect(await answer).toBeNull()
  })

  it('keeps raw mode while the answer is checked, and passes on its errors', async () => {
    let isRaw = false
    const { terminal, answer } = asked(() => {
      isRaw = terminal.isRaw
      throw new Error('no')
    })
    terminal.type('x\r')
    await expect(answer).rejects.toThrow('no')
    expect(isRaw).toBe(true)
    expect(terminal.isRaw).toBe(false)
  })
})
