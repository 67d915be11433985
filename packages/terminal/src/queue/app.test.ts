import { safeText } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { heldCall as call, openQueue as open } from './stage.fixture.ts'

describe('the queue on a terminal', () => {
  it('ignores keys typed before the card was readable, then accepts the same key', async () => {
    const { type, arm, decided } = await open([call('a')])
    await type('y')
    await type('\r')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided).toEqual([['a'.repeat(8), { kind: 'approve' }]])
  })

  it.each([0, 300, 540])('ignores a y that comes %i ms after drawing, and waits for idle time again', async (ms) => {
    const { type, arm, clock, decided } = await open([call('a')])
    await clock.advance(ms)
    await type('y')
    await clock.advance(100)
    await type('y')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided).toHaveLength(1)
  })

  it('reads no key on the next call from a paste that began on another, however slow (A5)', async () => {
    const { type, arm, tell, decided } = await open([call('a')])
    await arm()
    await type('\x1b[200~y')
    await tell({ kind: 'held', calls: [call('b', { risk: 'high' })] })
    for (let turn = 0; turn < 3; turn += 1) {
      await arm()
      await type('y')
    }
    expect(decided).toEqual([])
    await type('\x1b[201~')
    await arm()
    await type('y')
    await arm()
    await type('\x1b[200~y\x1b[201~')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided).toHaveLength(1)
  })

  it('copies what is on the screen: secrets masked until revealed, and nothing too long', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const { type, arm, copied, tty } = await open([call('a', { args: { header: token } })], { rows: 60 })
    await arm()
    await type('c')
    expect(copied).toHaveLength(1)
    expect(copied[0]).not.toContain(token)
    expect(tty.frame).toContain('secrets masked')
    await type('v')
    await type('c')
    expect(copied[1]).toContain(token)
    const long = await open([call('b', { args: { text: 'word '.repeat(20_000) } })])
    await long.arm()
    await long.type('c')
    expect(long.copied).toEqual([])
    expect(long.tty.frame).toContain('too long to copy')
  })

  it('approves a call only after its masked secrets were shown (A14)', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const { type, arm, decided, tty } = await open([call('a', { args: { header: token } })], { rows: 60 })
    await arm()
    await type('y')
    expect(decided).toEqual([])
    expect(tty.frame).toContain('show the hidden secret first: press v')
    await type('v')
    await type('y')
    expect(decided).toHaveLength(1)
  })

  it('decides nothing on Esc, which leaves the full screen (41)', async () => {
    const { type, arm, decided, tty } = await open([call('a'), call('b')], { rows: 50 })
    await arm()
    await type('\x1b')
    // The reader waits for the rest of an escape sequence.
    await expect.poll(() => tty.frame).toContain('Esc decides nothing; press n to reject')
    await type('f')
    expect(tty.frame).not.toContain('Calls `b`')
    await type('\x1b')
    await expect.poll(() => tty.frame).toContain('Calls `b`')
    expect(decided).toEqual([])
    await type('n')
    expect(decided).toEqual([['a'.repeat(8), { kind: 'reject' }]])
  })

  it('shows the gravest call first, and filters the queue without deciding anything', async () => {
    const calls = [call('a'), call('b', { risk: 'critical' }), call('c', { effect: 'Deploys `yes`' })]
    const { type, arm, decided, tty } = await open(calls, { rows: 50 })
    expect(tty.frame).toMatch(/❯ \S+ +\S+ · Calls `b`/)
    await arm()
    await type('/')
    for (const letter of 'yes') await type(letter)
    expect(tty.frame).toContain('1 of 3 held · 2 hidden by the filter, 1 critical among them')
    await type('\r')
    await type('\r')
    await type('y')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided).toEqual([['c'.repeat(8), { kind: 'approve' }]])
  })

  it('names what a filter without matches hides, and shows all again on Esc', async () => {
    const { type, arm, decided, tty } = await open([call('a'), call('b')])
    await arm()
    await type('/')
    for (const letter of 'zzz') await type(letter)
    expect(tty.frame).toContain('No held call matches the filter; 2 hidden')
    await type('\x1b')
    await expect.poll(() => tty.frame).toContain('2 held')
    expect(decided).toEqual([])
  })

  it('pauses every agent at one key, says so above the card, and resumes after a second one', async () => {
    const { type, arm, tell, decided, pauses, tty } = await open([call('a')])
    await arm()
    await type('s')
    expect(pauses).toEqual(['pause'])
    await tell({ kind: 'paused', why: safeText('paused by ana') })
    expect(tty.frame).toContain('Every call is held (s resumes) · paused by ana')
    expect(tty.frame).toContain('s resume ·')
    expect(tty.frame).not.toContain('s stop all')
    await arm()
    await type('s')
    expect(tty.frame).toContain('Resume? Policy and grants apply again. y resume · any other key: stay paused')
    await type('y') // typed ahead: it neither resumes nor approves
    expect([pauses, decided]).toEqual([['pause'], []])
    await arm()
    await type('n') // stays paused, and rejects nothing
    await type('y')
    expect([pauses, decided]).toEqual([['pause'], []])
    await arm()
    await type('s')
    await arm()
    await type('y')
    expect(pauses).toEqual(['pause', 'resume'])
    await tell({ kind: 'paused', why: null })
    expect(tty.frame).not.toContain('Every call is held')
    expect(decided).toEqual([])
  })

  it('pauses where nothing is held, too', async () => {
    const { type, pauses, tty } = await open([])
    expect(tty.frame).toContain('s stop all')
    await type('s')
    expect(pauses).toEqual(['pause'])
  })

  it('lets the second call be decided first (29)', async () => {
    const [a, b] = [call('a'), call('b')]
    const { type, arm, tell, decided, tty } = await open([a, b])
    await arm()
    await type('j')
    expect(tty.frame).toContain('Calls `b`')
    await type('y')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    await tell({ kind: 'held', calls: [a] })
    expect(tty.frame).toContain('Calls `a`')
    await type('y')
    await arm()
    await type('n')
    expect(decided.map(([id, { kind }]) => [id[0], kind])).toEqual([
      ['b', 'approve'],
      ['a', 'reject'],
    ])
  })

  it('re-arms when another call takes the place of the selected one', async () => {
    const { type, arm, tell, decided } = await open([call('a')])
    await arm()
    await tell({ kind: 'held', calls: [call('b')] })
    await type('y')
    expect(decided).toEqual([])
  })

  it('turns a call that ended elsewhere into a receipt with name and surface (27, 48)', async () => {
    const { tell, tty } = await open([call('a')])
    const receipt = {
      callId: 'a'.repeat(8),
      mark: 'd'.repeat(8),
      risk: 'medium',
      summary: safeText('Calls `a`'),
      outcome: 'approved',
      ended: null,
      edited: false,
      undoable: false,
      by: safeText('ana'),
      surface: safeText('web'),
      reason: null,
      at: 0,
      contained: false,
      heldMs: 4_200,
    } as const
    await tell({ kind: 'held', calls: [] })
    await tell({ kind: 'receipt', receipt })
    expect(tty.frame).toContain('No held calls')
    expect(tty.frame).toMatch(/✔ \d\d:\d\d:\d\d approved by ana \(web\) · Calls `a` · dddddddd · 4\.2 s/)
    await tell({ kind: 'receipt', receipt: { ...receipt, outcome: 'expired', by: null, surface: null } })
    expect(tty.frame).toMatch(/◌ \d\d:\d\d:\d\d expired · Calls `a`/)
  })

  it('asks of the last decision whether it was worth asking, also while another call is open', async () => {
    const { tell, tty, type, arm, rated, decided } = await open([call('a')])
    const receipt = {
      callId: 'a'.repeat(8),
      mark: 'd'.repeat(8),
      risk: 'medium',
      summary: safeText('Calls `a`'),
      outcome: 'approved',
      ended: null,
      edited: false,
      undoable: false,
      by: safeText('me'),
      surface: null,
      reason: null,
      at: 0,
      contained: false,
      heldMs: 4_200,
    } as const
    await arm()
    await type('w')
    expect(rated).toEqual([])
    await tell({ kind: 'receipt', receipt })
    await tell({ kind: 'held', calls: [] })
    expect(tty.frame).toContain('w worth asking · p pointless')
    await type('p')
    expect(tty.frame).toContain('noted for dddddddd: not worth asking')
    await tell({ kind: 'held', calls: [call('b')] })
    await arm()
    await type('w')
    expect(rated).toEqual([
      ['a'.repeat(8), 'not-worth-asking'],
      ['a'.repeat(8), 'worth-asking'],
    ])
    expect(decided).toEqual([])
  })

  it('needs two steps at high risk, where Enter rejects (41)', async () => {
    const { type, arm, decided, tty } = await open([call('a', { risk: 'high' })])
    await arm()
    await type('y')
    expect(decided).toEqual([])
    await arm()
    expect(tty.frame).toContain('press y again')
    await type('y')
    expect(decided).toEqual([['a'.repeat(8), { kind: 'approve' }]])
    const other = await open([call('b', { risk: 'high' })])
    await other.arm()
    await other.type('\r')
    expect(other.decided).toEqual([['b'.repeat(8), { kind: 'reject' }]])
  })

  it('needs the details, the code and a reason under manual supervision (46)', async () => {
    const { type, arm, decided } = await open([call('a', { risk: 'critical', supervision: 'manual' })])
    await arm()
    await type('y')
    await type('\x1b[F')
    await type('y')
    for (const chunk of ['k7m', 'p', '\r', 'agreed', '\r']) await type(chunk)
    expect(decided).toEqual([['a'.repeat(8), { kind: 'approve', reason: 'agreed', code: 'k7mp' }]])
  })

  it('confirms a grant that does not fit only after its last row was shown', async () => {
    const offer = {
      scope: { kind: 'exact', grantKey: 'k' },
      lifetimes: [{ kind: 'minutes', minutes: 10 }],
      words: `tool with ${'these arguments, '.repeat(80)}and the end`,
    } as const
    const { type, arm, decided, tty } = await open([call('a', { offers: [offer] })])
    await arm()
    await type('g')
    await type('1')
    await arm()
    expect(tty.frame).toMatch(/▼ \d+ more rows, Space to scroll; y after the last one/)
    expect(tty.frame).not.toContain('and the end')
    await type('y')
    expect(tty.frame).toContain('read to the end first')
    expect(decided).toEqual([])
    for (let press = 0; press < 9 && !tty.frame.includes('git commit -am done'); press += 1) await type(' ')
    await arm()
    await type('y')
    expect(decided[0]?.[1]).toMatchObject({ kind: 'approve', grant: { scope: offer.scope } })
  })

  it('spells out a grant, with past calls it would have matched, before it is given', async () => {
    const offer = {
      scope: { kind: 'exact', grantKey: 'k' },
      lifetimes: [{ kind: 'minutes', minutes: 10 }],
      words: '`t` with exactly these arguments',
    } as const
    const { type, arm, decided, tty } = await open([call('a', { offers: [offer] })])
    await arm()
    await type('g')
    await type('1')
    expect(tty.frame).toContain('`t` with exactly these arguments, for 10 minutes')
    expect(tty.frame).toContain('would have matched 14 of the last 200 calls, 2 of them high risk')
    expect(decided).toEqual([])
    await arm()
    await type('y')
    expect(decided[0]?.[1]).toEqual({ kind: 'approve', grant: { scope: offer.scope, lifetime: offer.lifetimes[0] } })
  })

  it('gives every row it has to a card that just fits, and the scrolled one its hint', async () => {
    const reasons = Array.from({ length: 9 }, (_, at) => ({
      level: 'medium' as const,
      rule: 'r',
      text: `reason ${at}`,
    }))
    const opened = call('a')
    const full = { ...opened, view: { ...opened.view, risk: { ...opened.view.risk, reasons } } }
    const fits = async (rows: number) => {
      const { tty } = await open([full], { rows })
      return { all: tty.frame.includes('reason 8'), hint: /Space to scroll/.test(tty.frame) }
    }
    const found = await Promise.all([30, 24, 23, 22, 21, 20].map(fits))
    expect(found.filter(({ all }) => all).length).toBeGreaterThan(2)
    for (const { all, hint } of found) expect(hint).toBe(!all)
  })

  it('shows the changes of an edit, then approves exactly those (47)', async () => {
    const args = { command: 'ls' }
    const { type, arm, decided, tty } = await open([call('a')], {
      edit: async () => ({ kind: 'edited', args }),
      rows: 20,
    })
    await arm()
    await type('e')
    await arm()
    expect(tty.frame).toContain('- "command": "rm x"'.replace('- ', '-   '))
    expect(tty.frame).toContain('+   "command": "ls"')
    expect(tty.frame).toContain('edited, not rated yet · exec')
    expect(tty.frame).not.toContain('MEDIUM')
    await type('y')
    expect(decided).toEqual([])
    await type('\x1b[F')
    await type('y')
    expect(decided).toEqual([['a'.repeat(8), { kind: 'approve', edited: args }]])
  })

  it.each([
    [40, 12],
    [80, 24],
    [200, 50],
  ])('stays shorter than a screen of %i by %i with twenty held calls (43)', async (columns, rows) => {
    const many = Array.from({ length: 20 }, (_, at) => call(String.fromCharCode(97 + at)))
    const { tty, arm } = await open(many, { columns, rows })
    await arm()
    const lines = tty.frame
      .replaceAll(/\x1b\[[0-9;?]*[a-zA-Z]/g, '')
      .trimEnd()
      .split('\n')
    expect(lines.length).toBeLessThan(rows)
    expect(tty.frame).toContain('20 held')
    expect(tty.frame).toContain('y approve · n reject')
  })

  it('keeps the reading position when resized, and never outgrows the screen', async () => {
    const { tty, arm, type, resize, decided } = await open([call('a', { args: { text: 'word '.repeat(400) } })])
    await arm()
    for (let page = 0; page < 5; page += 1) await type(' ')
    await resize(40, 12)
    await arm()
    expect(
      tty.frame
        .replaceAll(/\x1b\[[0-9;?]*[a-zA-Z]/g, '')
        .trimEnd()
        .split('\n').length,
    ).toBeLessThan(12)
    await type('y')
    expect(decided).toEqual([['a'.repeat(8), { kind: 'approve' }]])
  })

  it('prints plain lines for a screen reader, without interrupting it every second', async () => {
    const { tty, arm, clock, type, decided } = await open([call('a'), call('b')], { linear: true, rows: 60 })
    await arm()
    expect(tty.frame).not.toMatch(/[╭╮╰╯│┃━─]{2}|▰/)
    expect(tty.frame).toContain('▲ MEDIUM · exec')
    expect(tty.frame).toContain('less than 5 minutes left')
    const before = tty.frames
    await clock.advance(30_000)
    expect(tty.frames - before).toBeLessThanOrEqual(1)
    await type('y')
    expect(decided).toHaveLength(1)
  })

  it('lets the person try again if a decision was submitted and the call is still held', async () => {
    const { tty, arm, clock, type, decided } = await open([call('a')])
    await arm()
    await type('y')
    await clock.advance(4_000)
    await arm()
    expect(tty.frame).toContain('the decision was not accepted')
    await type('n')
    expect(decided.map(([, { kind }]) => kind)).toEqual(['approve', 'reject'])
  })
})
