import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { loadPolicyFile } from './policy-file.ts'

const GOOD = `version: 1
preset: balanced
defaults: { timeout: 5m }
tools: { wipe_disk: deny, read_file: automatic }
never_allow: ["format_*", "db/drop_*"]
rules:
  - id: prod
    tool: "postgres/*"
    args: { database: prod, limit: { above: 100 } }
    supervision: deny
    reason: not on prod
  - id: secrets
    path: { inside: "\${home}/.ssh", except: ["**/*.pub"] }
    unless: { agent: backup }
    supervision: deny
  - id: git
    command: { program: git, verb: [status, log] }
    supervision: automatic
  - any: [{ risk: high }, { kind: [delete, move] }]
    supervision: manual
    floor: true
limits: { calls: 200/h }
`

const load = (text: string) => loadPolicyFile({ layer: 'user', name: 'policy.yaml', text }, { checkers: [] })

/** Finds every deny and its line, with a lenient reader. */
function denials(text: string): readonly string[] {
  const raw: unknown = parse(text, { logLevel: 'silent', uniqueKeys: false })
  const file = raw as { tools?: Record<string, string>; never_allow?: string[]; rules?: { supervision?: string }[] }
  return [
    ...Object.entries(file.tools ?? {}).flatMap(([tool, supervision]) =>
      supervision === 'deny' ? [`tools.${tool}`] : [],
    ),
    ...(file.never_allow ?? []).map((_, index) => `never_allow[${index}]`),
    ...(file.rules ?? []).flatMap((rule, index) => (rule.supervision === 'deny' ? [`rules[${index}]`] : [])),
  ]
}

const edit = fc.oneof(
  fc.record({ kind: fc.constant('delete' as const), at: fc.nat(GOOD.length), length: fc.integer({ min: 1, max: 12 }) }),
  fc.record({
    kind: fc.constant('insert' as const),
    at: fc.nat(GOOD.length),
    text: fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom('\n', '  ', '- ', ': ', '#', '"', '[', '}', '*', '&a ', '---\n', '\t', 'deny'),
    ),
  }),
  fc.record({
    kind: fc.constant('swap' as const),
    at: fc.nat(GOOD.length),
    to: fc.nat(GOOD.length),
    length: fc.integer({ min: 1, max: 30 }),
  }),
)

function apply(text: string, one: typeof edit extends fc.Arbitrary<infer Edit> ? Edit : never): string {
  if (one.kind === 'delete') return text.slice(0, one.at) + text.slice(one.at + one.length)
  if (one.kind === 'insert') return text.slice(0, one.at) + one.text + text.slice(one.at)
  const piece = text.slice(one.at, one.at + one.length)
  const rest = text.slice(0, one.at) + text.slice(one.at + one.length)
  return rest.slice(0, one.to) + piece + rest.slice(one.to)
}

describe('a damaged policy file', () => {
  it('is refused with a place, or loads with every deny it still contains', () => {
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        const text = edits.reduce(apply, GOOD)
        const file = load(text)
        if (file.kind === 'refused') {
          expect(file.problems.length).toBeGreaterThan(0)
          for (const { line, column, message } of file.problems) {
            expect(line).toBeGreaterThan(0)
            expect(column).toBeGreaterThan(0)
            expect(message).not.toMatch(/\n|\.$/)
          }
        } else {
          const kept = file.rules.filter(({ supervision }) => supervision === 'deny')
          expect(kept.length).toBe(denials(text).length)
        }
      }),
      { numRuns: 600 },
    )
  })

  it('is refused with its text quoted where that ends the message', () => {
    const file = load(`${GOOD}tests: ["a\\.b"]\n`)
    expect(file).toMatchObject({ problems: [{ message: 'not valid YAML: invalid escape sequence `\\.`' }] })
  })

  it('never loads if it is cut off inside a deny rule', () => {
    const start = GOOD.indexOf('    supervision: deny')
    for (let end = start - 60; end < start + 20; end += 1)
      expect(load(GOOD.slice(0, end)).kind, GOOD.slice(end - 20, end)).toBe('refused')
  })

  it('never throws for text that is not a policy', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc
            .array(fc.constantFrom(...' \n\t[]{}:,-?!&*#|>\'"%@`~=a1'), { maxLength: 60 })
            .map((parts) => parts.join('')),
        ),
        (text) => {
          expect(['loaded', 'refused']).toContain(load(text).kind)
        },
      ),
      { numRuns: 800 },
    )
  })

  it('is refused, whichever key is misspelt', () => {
    const keys = [...GOOD.matchAll(/[a-z_]+(?=:)/g)].filter(
      ({ index }) => !/args: \{[^}]*$|tools: \{[^}]*$/.test(GOOD.slice(GOOD.lastIndexOf('\n', index), index)),
    )
    for (const { index, 0: key } of keys) {
      const text = `${GOOD.slice(0, index)}${key}q${GOOD.slice(index + key.length)}`
      expect(load(text).kind, key).toBe('refused')
    }
  })
})
