import { describe, expect, it } from 'vitest'
import { desktopNotice, noticeText, terminalNotice } from './notification.ts'

describe('a notification', () => {
  it('says risk and tool, and nothing that could end the sequence it is wrapped in', () => {
    const hostile = { server: 'a;b\x07', name: 'rm"\x1b]0;x\u202e' }
    const text = noticeText('high', hostile)
    expect(text).toMatch(/^HIGH [\w./ ?-]+/)
    expect(text).not.toMatch(/[\x00-\x1f;"\\\u202e]/)
    expect(text.length).toBeLessThanOrEqual(64)
    expect(noticeText('low', { server: null, name: 'write_file' })).toBe('LOW write_file waits for you')
  })

  it.each([
    ['off', ''],
    ['bell', '\x07'],
    ['terminal', '\x07\x1b]9;Countersign: x\x07\x1b]777;notify;Countersign;x\x07'],
  ] as const)('writes for %s exactly its own sequences', (way, written) => {
    expect(terminalNotice('x', way, {})).toBe(written)
  })

  it('is wrapped for tmux, where it runs inside', () => {
    const written = terminalNotice('x', 'terminal', { TMUX: '/tmp/t,1,0' })
    expect(written).toContain('\x1bPtmux;\x1b\x1b]9;Countersign: x\x07\x1b\\')
  })

  it('uses the desktop’s own program where there is a desktop', () => {
    expect(desktopNotice('x', 'linux', {})).toBeNull()
    expect(desktopNotice('x', 'linux', { DISPLAY: ':0' })?.[0]).toBe('notify-send')
    expect(desktopNotice('x', 'darwin', {})).toEqual([
      'osascript',
      '-e',
      'display notification "x" with title "Countersign"',
    ])
  })
})
