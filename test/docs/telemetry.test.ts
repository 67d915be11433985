import { TRACE_STEPS } from '@countersign/core'
import { createPrometheusMeter } from '@countersign/telemetry'
import { describe, expect, it } from 'vitest'
import { pageText } from './pages.ts'

const page = pageText('docs/guides/seeing-it-run.md')
const firstCells = (prefix: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\\| \`${prefix}([a-z_]+)\` \\|`, 'gm'))].map(([, name = '']) => name)

describe('the guide to telemetry', () => {
  it('lists every metric', () => {
    const own = [
      ...createPrometheusMeter()
        .text()
        .matchAll(/^# TYPE countersign_(\S+)/gm),
    ].map(([, name = '']) => name)
    const read = ['held_calls', 'ready'] // of the service, read at each scrape
    expect([...firstCells('countersign_')].sort()).toEqual([...own, ...read].sort())
  })

  it('lists every step', () => {
    expect(firstCells('countersign\\.')).toEqual(TRACE_STEPS)
  })
})
