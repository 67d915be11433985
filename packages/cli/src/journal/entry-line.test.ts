import { ENTRY_KINDS, type JournalEntry, safeText } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { entryLine, factsOf } from './entry-line.ts'

const kinds = Object.keys(ENTRY_KINDS) as (keyof typeof ENTRY_KINDS)[]
const at = new Date(2026, 0, 5, 3, 4, 5).getTime()
const LOOK = { name: safeText('aabbccdd'), columns: 100 }
const entry = (kind: string, more: object = {}) =>
  ({ v: 1, seq: 1, at, kind, call: 'aabbccddeeff', ...more }) as JournalEntry

describe('a journal entry on one line', () => {
  it('shows time, event, call, risk, tool and result', () => {
    const judged = entry('judged', {
      tool: 'pg/query',
      risk: { level: 'high' },
      supervision: 'manual',
      rule: { id: 'prod-data' },
    })
    expect(entryLine(judged, factsOf(judged), LOOK)).toBe(
      '2026-01-05 03:04:05  judged     aabbccdd  high      pg/query  manual by prod-data',
    )
  })

  it.each([
    ['decided', { decision: 'reject', by: 'ada', surface: 'web', reason: 'not now' }, 'reject by ada on web not now'],
    ['opened', { places: { workspace: '/srv/shop' } }, '/srv/shop'],
    ['started', { by: 'ada' }, 'approved by ada'],
    ['failed', { detail: 'exit code 7' }, 'exit code 7'],
    [
      'policy-set',
      { change: 3, what: 'paused: lunch', by: 'ada', surface: 'cli' },
      'change 3 paused: lunch by ada on cli',
    ],
    ['key-recovered', { key: 'k2', replaces: 'k1', by: 'ada' }, 'k2 in the place of k1 by ada'],
    ['home-restored', { from: '/mnt/copy', by: 'ada' }, 'from /mnt/copy by ada'],
    ['changes-seen', { everything: true, workspace: '/srv', by: 'ada' }, 'everything in /srv by ada'],
    ['rotated', { from: 1, through: 9, archive: 'journal-1-9' }, 'entries 1 to 9 archived in journal-1-9'],
    ['grant-given', { grant: { id: '0123456789', givenBy: 'ada' } }, '01234567 by ada'],
    ['from-a-later-version', { anything: 1 }, ''],
  ])('shows %s', (kind, more, words) => {
    expect(entryLine(entry(kind, more), undefined, LOOK)).toContain(words)
  })

  it('shows an exit code once', () => {
    const line = entryLine(entry('failed', { exit: 7, detail: 'exit code 7' }), undefined, LOOK)
    expect(line.match(/exit code 7/g)).toHaveLength(1)
  })

  it('never lets the content of an entry move the cursor or leave the line', () => {
    const wild = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constant('\x1b[2J\r\n\u202e'),
      fc.integer(),
      fc.constant(null),
    )
    const fields =
      'workspace places what change how to left files count replaces tier supervision rule tool risk by surface reason code message detail checker grant hash problems archive from through digest name key decision expiresAt'
    const body = fc.dictionary(
      fc.constantFrom(...fields.split(' ')),
      fc.oneof(wild, fc.array(wild), fc.dictionary(fc.constantFrom('id', 'level', 'givenBy', 'workspace'), wild)),
    )
    fc.assert(
      fc.property(fc.constantFrom(...kinds), body, fc.string(), (kind, more, call) => {
        const found = entry(kind, { ...more, call })
        const line = entryLine(found, factsOf(found), { ...LOOK, columns: 200 })
        expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
      }),
    )
  })
})
