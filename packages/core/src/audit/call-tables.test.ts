import { expect, it } from 'vitest'
import type { JournalEntry } from '../journal/entry.ts'
import type { EntryKind } from '../journal/entry-kind.ts'
import { createCallTables } from './call-tables.ts'

let seq = 0
const entry = (kind: EntryKind, call: string | null, more = {}): JournalEntry => ({
  v: 1,
  seq: ++seq,
  at: seq,
  kind,
  call,
  ...more,
})

it('has one row per call, in the order in which they end, and one per decision', () => {
  seq = 0
  const tables = createCallTables()
  const facts = {
    tool: 'send',
    agent: ['main', 'sub'],
    args: { to: '=1' },
    risk: { level: 'high' },
    supervision: 'confirm',
    rule: { id: 'r' },
    policy: 'p',
  }
  const rows = [
    entry('judged', 'a', facts),
    entry('judged', 'b', facts),
    entry('opened', null),
    entry('decided', 'a', {
      decision: 'approve',
      by: 'Ana',
      key: 'k',
      surface: 'web',
      reason: null,
      edited: { to: 'x' },
      signedAt: 7,
    }),
    entry('completed', 'b'),
    entry('refused', 'a'),
    entry('completed', 'a'),
    entry('feedback', 'a'),
    entry('judged', 'c', facts),
  ].map((one) => tables.take(one))
  expect(rows.map(({ calls }) => calls !== '')).toEqual([false, false, false, false, true, false, true, false, false])
  const time = (at: number) => `"1970-01-01T00:00:00.00${at}Z"`
  const judged = `"send","main › sub","{""to"":""=1""}","high","confirm","r","p"`
  expect(rows[4]?.calls).toBe(`"b",${time(2)},${judged},"","","","","","","","completed",${time(5)},"2","5"\r\n`)
  expect(rows[6]?.calls).toBe(
    `"a",${time(1)},${judged},"approve","Ana","k",${time(4)},"web","","yes","completed",${time(7)},"1","7"\r\n`,
  )
  expect(rows[3]?.decisions).toBe(
    `"4",${time(4)},"a","approve","Ana","k","web",${time(7)},"","{""to"":""x""}","","",""\r\n`,
  )
  expect(tables.end().calls).toMatch(/^"c",.*"open","","9","9"\r\n$/)
  expect(tables.end().calls).toBe('')
})

it('remembers a bounded number of calls without an end', () => {
  seq = 0
  const tables = createCallTables()
  let written = 0
  for (let call = 0; call < 10_050; call++) written += tables.take(entry('judged', `c${call}`)).calls === '' ? 0 : 1
  expect(written).toBe(50)
  expect(tables.end().calls.split('\r\n')).toHaveLength(10_001)
})
