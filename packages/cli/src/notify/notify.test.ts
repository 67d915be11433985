import { PassThrough } from 'node:stream'
import type { OpenedView } from '@countersign/core'
import { openedView } from '@countersign/testing/gate/opened-view'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createNotifier } from './notify.ts'

function call(id: string): OpenedView {
  const opened = openedView({ tool: id })
  return { ...opened, view: { ...opened.view, id } }
}

describe('calling a person', () => {
  beforeEach(() => {
    vi.useFakeTimers()
    return () => vi.useRealTimers()
  })

  function open() {
    const stdout = new PassThrough()
    const notifier = createNotifier('terminal', { stdout, env: {} })
    return { notifier, told: () => String(stdout.read() ?? '').match(/\w+(?= waits for you\x07\x1b)/g) ?? [] }
  }

  it('happens at once, then once more after a pause for what came within it', () => {
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

  it('does not happen for what was decided within the pause', () => {
    const { notifier, told } = open()
    for (const id of ['one', 'two']) notifier.held(call(id))
    notifier.gone('two')
    expect(told()).toEqual(['one'])
    vi.advanceTimersByTime(60_000)
    expect(told()).toEqual([])
  })

  it('ends when nobody watches any more', () => {
    const { notifier, told } = open()
    for (const id of ['one', 'two']) notifier.held(call(id))
    notifier.stop()
    expect(told()).toEqual(['one'])
    expect(vi.getTimerCount()).toBe(0)
  })
})
