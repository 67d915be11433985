import { describe, expect, it } from 'vitest'
import { usualName } from './frequent-names.ts'

function nameIn(text: string, from = 0, to = text.length): string | null {
  return usualName(Buffer.from(text), from, to)
}

describe('a usual name', () => {
  it('is found where it stands, and only whole', () => {
    expect(nameIn('method')).toBe('method')
    expect(nameIn('"method":', 1, 7)).toBe('method')
    expect(nameIn('"method":', 1, 6)).toBeNull()
    expect(nameIn('methods')).toBeNull()
  })

  it.each(['Method', 'methoD', 'meth\\u006fd', '', 'i\u0064x', 'tool', 'ｉｄ'])('is not found in %j', (text) => {
    expect(nameIn(text)).toBeNull()
  })

  it('is not found past the end of the bytes', () => {
    expect(usualName(Buffer.from('meth'), 0, 6)).toBeNull()
  })
})
