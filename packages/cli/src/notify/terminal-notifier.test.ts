import { PassThrough } from 'node:stream'
import type { OpenedView } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createNotifier, desktopNotice, noticeText, terminalNotice } from './terminal-notifier.ts'

function call(id: string): OpenedView {
  const opened = openedView({ tool: id })
  return { ...opened, view: { ...opened.view, id } }
}

describe('notifying a person', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  function open() {
    const stdout = new PassThrough()
    const notifier = createNotifier('terminal', { stdout, env: {} })
    return { notifier, told: () => String(stdout.read() ?? '').match(/\w+(?= needs your decision\x07\x1b)/g) ?? [] }
  }

  it('happens at once, then once more after a pause for the calls that arrived meanwhile', () => {
    const { notifier, told } = open()
    for (const id of ['one', 'two', 'three']) notifier.held(call(id))
    expect(told()).toEqual(['one'])
    vi.advanceTimersByTime(2_999)
    expect(told()).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told()).toEqual(['two'])
    vi.advanceTimersByTime(60_000)
    expect(told()).toEqual([])
    notifier.held(call('four'))
    expect(told()).toEqual(['four'])
  })

  it('skips calls that were decided during the pause', () => {
    const { notifier, told } = open()
    for (const id of ['one', 'two']) notifier.held(call(id))
    notifier.gone('two')
    expect(told()).toEqual(['one'])
    vi.advanceTimersByTime(60_000)
    expect(told()).toEqual([])
  })

  it('stops when nobody watches any more', () => {
    const { notifier, told } = open()
    for (const id of ['one', 'two']) notifier.held(call(id))
    notifier.stop()
    expect(told()).toEqual(['one'])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a notification', () => {
  it('shows risk and tool, and nothing that could end its escape sequence', () => {
    const hostile = { server: 'a;b\x07', name: 'rm"\x1b]0;x\u202e' }
    const text = noticeText('high', hostile)
    expect(text).toMatch(/^HIGH [\w./ ?-]+/)
    expect(text).not.toMatch(/[\x00-\x1f;"\\\u202e]/)
    expect(text.length).toBeLessThanOrEqual(64)
    expect(noticeText('low', { server: null, name: 'write_file' })).toBe('LOW write_file needs your decision')
  })

  it.each([
    ['off', ''],
    ['bell', '\x07'],
    ['terminal', '\x07\x1b]9;Countersign: x\x07\x1b]777;notify;Countersign;x\x07'],
  ] as const)('writes exactly the sequences of %s', (way, written) => {
    expect(terminalNotice('x', way, {})).toBe(written)
  })

  it('is wrapped for tmux if it runs inside', () => {
    const written = terminalNotice('x', 'terminal', { TMUX: '/tmp/t,1,0' })
    expect(written).toContain('\x1bPtmux;\x1b\x1b]9;Countersign: x\x07\x1b\\')
  })

  it('uses the desktop’s own program if there is a desktop', () => {
    expect(desktopNotice('x', 'linux', {})).toBeNull()
    expect(desktopNotice('x', 'linux', { DISPLAY: ':0' })?.[0]).toBe('notify-send')
    expect(desktopNotice('x', 'darwin', {})?.at(0)).toBe('osascript')
    expect(desktopNotice('x', 'darwin', {})?.slice(-2)).toEqual(['x', 'Countersign'])
  })
})
