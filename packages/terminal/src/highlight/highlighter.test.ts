import { safeText } from '@countersign/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHighlighter } from './highlighter.ts'
import { languageOf } from './languages.ts'

describe('syntax colours', () => {
  it('come from a separate thread, as ranges of the lines', async () => {
    const highlighter = openHighlighter()
    onTestFinished(() => highlighter.close())
    const lines = ['// first', 'const name = "x"'].map(safeText)
    const spans = await highlighter.spans('src/a.ts', lines)
    expect(spans?.[0]).toEqual([{ start: 0, end: 8, styles: ['blue'] }])
    expect(spans?.[1]).toContainEqual({ start: 0, end: 5, styles: ['magenta'] })
    expect(spans?.[1]).toContainEqual({ start: 13, end: 16, styles: ['yellow'] })
  })

  it('are omitted for unknown languages, long texts, and cancelled requests', async () => {
    const highlighter = openHighlighter()
    expect(await highlighter.spans('a.xyz', [safeText('x')])).toBe(null)
    expect(await highlighter.spans('a.ts', [safeText('x'.repeat(1_001))])).toBe(null)
    const asked = highlighter.spans('a.ts', [safeText('x')])
    highlighter.close()
    expect(await asked).toBe(null)
  })

  it.each([
    ['src/a.ts', 'typescript'],
    ['Dockerfile', 'docker'],
    ['deploy.YAML', 'yaml'],
    ['.bashrc', undefined],
    ['noend', undefined],
  ])('depend on the file name: %s', (path, language) => {
    expect(languageOf(path)).toBe(language)
  })
})
