import { describe, expect, it } from 'vitest'
import { EXPORT_PAGE, exportHistory } from './export-button.tsx'

/** A service with this many calls; the newest is `call-0`. */
function serviceWith(calls: number): (before: string) => Promise<string> {
  return async (before) => {
    const from = before === '' ? 0 : Number(before.slice('call-'.length)) + 1
    const count = Math.max(0, Math.min(EXPORT_PAGE, calls - from))
    return Array.from({ length: count }, (_, at) => `{"id":"call-${from + at}"}\n`).join('')
  }
}

describe('an export of the history', () => {
  it.each([0, 3, EXPORT_PAGE, 2 * EXPORT_PAGE + 5])('contains each of %i calls once', async (calls) => {
    const { text, ...rest } = await exportHistory(serviceWith(calls))
    expect(rest).toEqual({ calls, isCut: false })
    expect(new Set(text.join('').trimEnd().split('\n').filter(Boolean)).size).toBe(calls)
  })

  it('reports that it was truncated', async () => {
    expect(await exportHistory(serviceWith(5 * EXPORT_PAGE), 2 * EXPORT_PAGE)).toMatchObject({
      calls: 2 * EXPORT_PAGE,
      isCut: true,
    })
  })
})
