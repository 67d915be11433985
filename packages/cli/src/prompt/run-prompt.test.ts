import { CountersignError, type Decision, type Receipt } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { simulatedClock } from '@countersign/testing/simulated-clock'
import { describe, expect, it } from 'vitest'
import { type MemoryTerminal, memoryTerminal } from './fixture.mts'
import { openPrompt } from './run-prompt.ts'

function open(
  look: Parameters<typeof memoryTerminal>[0] = {},
  given: Parameters<typeof openedView>[0] = {},
  more: { readonly passphrase?: string; readonly inbox?: string } = {},
) {
  const clock = simulatedClock()
  const terminal: MemoryTerminal = memoryTerminal(look)
  const decided: Decision[] = []
  let withdrawn = 0
  let gaveUp = 0
  const { passphrase: right, inbox } = more
  const giveUp = (): void => {
    gaveUp += 1
  }
  const answer = { accepted: true, state: 'approved' }
  const prompt = openPrompt(openedView({ expiresAt: clock.now() + 300_000, ...given }), {
    terminal,
    clock,
    ...(right === undefined ? {} : { seal: { giveUp } }),
    ...(inbox === undefined ? {} : { inbox: async () => inbox }),
    async decide(decision, passphrase) {
      if (passphrase !== right) throw new CountersignError('CS_PASSPHRASE', 'that is not it')
      decided.push(decision)
      return { held: 'x', by: 'ana', at: 0, message: 'no good', ...answer } satisfies Receipt
    },
    withdraw() {
      withdrawn += 1
    },
  })
  return { clock, terminal, decided, answer, prompt, withdrawn: () => withdrawn, gaveUp: () => gaveUp }
}

describe('the prompt on a terminal', () => {
  it('ignores keys typed ahead, and accepts a key afterwards', async () => {
    const { clock, terminal, decided } = open()
    terminal.type('y')
    terminal.type('y')
    await clock.advance(200)
    expect(decided).toEqual([])
    await clock.advance(600)
    terminal.type('y')
    expect(decided).toEqual([{ kind: 'approve' }])
  })

  it('masks secrets until v is pressed, and approves nothing before that (A14)', async () => {
    const token = `ghp_${'a1B2'.repeat(9)}`
    const args = { command: `curl https://api.example.org/?t=${token}` }
    const preview = {
      kind: 'command',
      command: args.command,
      folder: '/w',
      parts: [],
      targets: [],
      problems: [],
    } as const
    const { clock, terminal, decided } = open({}, { args, preview })
    await clock.advance(1_000)
    expect(terminal.written()).not.toContain(token)
    expect(terminal.written()).toContain('v show secrets')
    terminal.type('y')
    expect(decided).toEqual([])
    expect(terminal.news()).toContain('show the hidden secret first: press v')
    terminal.type('v')
    expect(terminal.written().replaceAll(/\s+│?\s*/g, '')).toContain(token)
    terminal.type('y')
    expect(decided).toEqual([{ kind: 'approve' }])
  })

  it('redraws only one line, once a second', async () => {
    const { clock, terminal } = open()
    await clock.advance(700)
    terminal.news()
    await clock.advance(3_000)
    const drawn = terminal.news()
    expect(drawn.split('\r\x1b[2K').length - 1).toBe(3)
    expect(drawn).not.toContain('\n')
    expect(drawn).toContain('4:57 left')
  })

  it('uses no escape sequences on a plain terminal, and prints the time at the start and near the end', async () => {
    const { clock, terminal, prompt } = open({ plain: true })
    await clock.advance(295_000)
    prompt.close('done')
    expect(terminal.written()).not.toContain('\x1b')
    expect(terminal.written().match(/\d:\d\d left/g)).toEqual(['5:00 left', '0:10 left'])
  })

  it('echoes a reason on a plain terminal, and handles backspace', async () => {
    const { clock, terminal, decided } = open({ plain: true })
    await clock.advance(1_000)
    terminal.type('r')
    terminal.news()
    for (const key of ['n', 'o', 'x', '\x7f']) terminal.type(key)
    expect(terminal.news()).toBe('nox\b \b')
    terminal.type('\r')
    expect(decided).toEqual([{ kind: 'reject', reason: 'no' }])
  })

  it('waits for the rest of an arrow key before it treats Esc as a key', async () => {
    const { clock, terminal, decided } = open()
    await clock.advance(1_000)
    terminal.type('\x1b')
    terminal.type('[C')
    await clock.advance(100)
    expect(decided).toEqual([])
    terminal.type('\x1b')
    await clock.advance(100)
    expect(terminal.news()).toContain('Esc decides nothing')
    expect(decided).toEqual([])
  })

  it('reads nothing in a paste as a key, wherever it is split, and inserts it into a reason (A5)', async () => {
    const { clock, terminal, decided, withdrawn } = open()
    await clock.advance(1_000)
    terminal.type('\x1b[200~hello')
    await clock.advance(5_000)
    for (const key of ['y', '\r', 'n']) {
      terminal.type(key)
      await clock.advance(1_000)
    }
    expect(terminal.written()).toContain('pasted text is ignored here')
    terminal.type('\x1b[201~')
    terminal.type('y')
    expect(decided).toEqual([])
    await clock.advance(1_000)
    terminal.type('r')
    terminal.type('\x1b[200~not\rthis\x1b[201~')
    terminal.type('\r')
    expect(decided).toEqual([{ kind: 'reject', reason: 'not this' }])
    const other = open()
    other.terminal.type('\x1b[200~')
    other.terminal.type('\x03')
    expect([other.withdrawn(), withdrawn()]).toEqual([1, 0])
  })

  it('withdraws on Ctrl-C, and when the terminal disappears', async () => {
    const first = open()
    first.terminal.type('\x03')
    expect(first.withdrawn()).toBe(1)
    const second = open()
    second.terminal.hangUp()
    expect(second.withdrawn()).toBe(1)
  })

  it('reports that a decision was not accepted, and continues', async () => {
    const { clock, terminal, decided, answer } = open()
    answer.accepted = false
    answer.state = 'held'
    await clock.advance(1_000)
    terminal.type('y')
    await clock.advance(1_000)
    expect(terminal.written()).toContain('no good')
    answer.accepted = true
    terminal.type('y')
    expect(decided).toHaveLength(2)
  })

  it('leaves one line and the terminal as it was, and never acts again', async () => {
    const { clock, terminal, decided, prompt } = open()
    await clock.advance(1_000)
    prompt.close('✔ approved by ana')
    expect(terminal.written().endsWith('\r\x1b[2K✔ approved by ana\n')).toBe(true)
    expect(terminal.isRaw).toBe(false)
    expect(clock.pending).toBe(0)
    prompt.close('again')
    expect(terminal.written()).not.toContain('again')
    expect(decided).toEqual([])
  })

  it('prints a long call in pages, and approves only after the last', async () => {
    const value = { lines: Array.from({ length: 500 }, (_, at) => `line ${at}`) }
    const { clock, terminal, decided } = open({}, { args: value })
    await clock.advance(1_000)
    expect(terminal.written()).toContain('page 1 of 3')
    expect(terminal.written()).not.toContain('line 499')
    terminal.type('y')
    terminal.type('d')
    terminal.type('d')
    expect(decided).toEqual([])
    expect(terminal.written()).toContain('line 499')
    terminal.type('y')
    expect(decided).toEqual([{ kind: 'approve' }])
  })

  it.each([40, 46, 80])('keeps its line within %i columns', async (columns) => {
    const { clock, terminal } = open({ columns }, { risk: 'high' })
    await clock.advance(1_000)
    terminal.type('y')
    await clock.advance(700)
    terminal.type('n')
    await clock.advance(700)
    terminal.type('r')
    terminal.type('a very long reason, far longer than any such line of the terminal could be, and then some')
    for (const line of terminal.written().split('\n'))
      for (const part of line.split('\r\x1b[2K')) expect(part.length).toBeLessThan(columns)
  })
})

describe('the prompt with a sealed key', () => {
  it.each([false, true])('never shows a passphrase or its length (plain terminal: %s)', async (plain) => {
    const { clock, terminal, decided } = open({ plain }, {}, { passphrase: 'correct horse' })
    await clock.advance(1_000)
    terminal.type('y')
    expect(terminal.written()).toContain('passphrase (not shown):')
    terminal.news()
    for (const key of 'correct horsex\x7f') terminal.type(key)
    expect(terminal.news()).toBe('')
    terminal.type('\r')
    await clock.advance(0)
    expect(decided).toEqual([{ kind: 'approve' }])
    expect(terminal.written()).not.toContain('horse')
  })

  it('allows three attempts, then decides nothing', async () => {
    const { clock, terminal, decided, gaveUp } = open({}, {}, { passphrase: 'correct horse' })
    await clock.advance(1_000)
    terminal.type('y')
    for (const words of ['2 tries left', '1 try left']) {
      terminal.type('wrong\r')
      await clock.advance(0)
      expect(terminal.written()).toContain(`wrong passphrase; ${words}`)
      expect(gaveUp()).toBe(0)
    }
    terminal.type('wrong\r')
    await clock.advance(0)
    expect(gaveUp()).toBe(1)
    expect(decided).toEqual([])
  })
})

describe('the prompt for a call that needs a passkey', () => {
  it('says where to decide before a key is pressed, and offers to reject', async () => {
    const inbox = 'the policy requires a passkey: decide in the inbox at http://localhost:4180'
    const { clock, terminal, decided } = open({}, { passkey: true }, { inbox })
    await clock.advance(1_000)
    expect(terminal.written()).toContain('the policy requires a passkey: decide in the inbox at')
    expect(terminal.written()).not.toContain('y approve')
    expect(terminal.written()).toContain('[Reject]  approve: inbox')
    terminal.type('y')
    expect(decided).toEqual([])
    terminal.type('n')
    expect(decided).toEqual([{ kind: 'reject' }])
  })
})
