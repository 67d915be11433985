import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)

/** The acceptance scenarios of agents, their surfaces and intent. */
const SCENARIOS = [...range(25, 48), ...range(65, 73)]

/** A title names its scenarios at the start (`27, 48: …`) or the end (`… (A5, 27)`). */
const TITLE = /(?:\b(?:it|describe)\b[^'"`]*|\]\)|^\s*)\(?(['"`])(.*)\1/gm
const IN_FRONT = /^(\d+(?:, \d+)*): /
const BEHIND = /\(([A-Z]?\d+(?:, [A-Z]?\d+)*)\)$/

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, at) => from + at)
}

function scenariosIn(text: string): readonly number[] {
  return [...text.matchAll(TITLE)].flatMap(([, , title = '']) => {
    const list = IN_FRONT.exec(title)?.[1] ?? BEHIND.exec(title)?.[1] ?? ''
    return list
      .split(', ')
      .filter((one) => /^\d+$/.test(one))
      .map(Number)
  })
}

describe('test titles', () => {
  it('name every scenario of agents and intent', () => {
    const cwd = ROOT.pathname
    const files = globSync(['packages/*/src/**/*.test.ts', 'packages/*/src/**/*.test.tsx', 'test/**/*.test.ts'], {
      cwd,
    })
    const named = new Set(files.flatMap((file) => scenariosIn(readFileSync(new URL(file, ROOT), 'utf8'))))
    expect(SCENARIOS.filter((number) => !named.has(number))).toEqual([])
  })

  it.each([
    ["it('27, 48: ends', f)", [27, 48]],
    ["  ])('shows it (A5, 43)', f)", [43]],
    ["it('waits 5 s', f)", []],
  ])('are parsed: %j', (text, numbers) => {
    expect(scenariosIn(text)).toEqual(numbers)
  })
})
