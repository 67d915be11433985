import { describe, expect, it } from 'vitest'
import { loadPolicyFile } from './policy-file.ts'
import { scanYaml } from './yaml-tree.ts'

const lol = Array.from(
  { length: 9 },
  (_, level) =>
    `l${level}: &l${level} [${Array(9)
      .fill(level === 0 ? 'lol' : `*l${level - 1}`)
      .join(', ')}]`,
).join('\n')

/** Files made to exhaust a parser: all are refused before a parser is created. */
const BOMBS: readonly (readonly [string, string, string])[] = [
  ['20,000 open brackets', '['.repeat(20_000), 'nested deeper'],
  ['250,000 open brackets', '['.repeat(250_000), 'nested deeper'],
  ['open braces', '{a: '.repeat(60_000), 'nested deeper'],
  ['nested lists on one line', '- '.repeat(100_000), 'nested deeper'],
  ['nested complex keys', '? '.repeat(100_000), 'nested deeper'],
  [
    'maps nested by indentation',
    Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    'nested deeper',
  ],
  [
    'flow collections inside blocks',
    `${Array.from({ length: 60 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')} ${'['.repeat(60)}`,
    'nested deeper',
  ],
  ['a billion laughs attack', lol, 'anchors'],
  ['more than 256 KiB', `# ${'x'.repeat(256 * 1024)}`, 'larger than 256 KiB'],
  ['more than 256 KiB in bytes only', `# ${'é'.repeat(140 * 1024)}`, 'larger than 256 KiB'],
  ['a list of commas', `[${','.repeat(200_000)}`, 'too many parts'],
  ['closing brackets', ']'.repeat(200_000), 'too many parts'],
]

describe('scanning a file before it is parsed', () => {
  it.each(BOMBS)('refuses %s', (_name, text, message) => {
    const found = scanYaml(text)
    expect(found?.message).toContain(message)
  })

  it('stops at the maximum depth', () => {
    expect(scanYaml('['.repeat(250_000))?.offset).toBeLessThan(200)
  })

  it('accepts everything a policy needs', () => {
    expect(
      scanYaml(
        'version: 1\nrules:\n  - any:\n      - not: { all: [{ tool: x }, { args: { a: { in: [1, [2]] } } }] }\n',
      ),
    ).toBeNull()
  })

  it('ignores brackets and dashes inside text', () => {
    expect(
      scanYaml(
        `a: "${'['.repeat(5000)}"\nb: '${'{'.repeat(5000)}'\nc: |\n  ${'- '.repeat(5000)}\n# ${'['.repeat(5000)}\n`,
      ),
    ).toBeNull()
  })

  it('refuses nesting deeper than exactly 32', () => {
    const nested = (depth: number) => {
      const value = `${'['.repeat(depth)}x${']'.repeat(depth)}`
      const text = `version: 1\ntests:\n  - call: { tool: x, args: { a: ${value} } }\n    expect: { supervision: deny }\n`
      return loadPolicyFile({ layer: 'user', name: 'p', text }, { checkers: [] })
    }
    // The list is five levels deep.
    expect(nested(27).kind).toBe('loaded')
    expect(nested(28)).toMatchObject({ kind: 'refused', problems: [{ code: 'CS_POLICY_TOO_LARGE', line: 3 }] })
  })

  it('accepts a file with thousands of keys and finds a duplicate', () => {
    const keys = Array.from({ length: 8000 }, (_, index) => `  tool_${index}: deny`).join('\n')
    const load = (text: string) => loadPolicyFile({ layer: 'user', name: 'p', text }, { checkers: [] })
    const whole = load(`version: 1\ntools:\n${keys}\n`)
    expect(whole.kind === 'loaded' && whole.rules.length).toBe(8000)
    expect(load(`version: 1\ntools:\n${keys}\n  tool_17: automatic\n`)).toMatchObject({
      kind: 'refused',
      problems: [{ line: 8003, column: 3 }],
    })
  })
})
