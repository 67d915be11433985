import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { PolicyFile } from '../../ports/policy-files.ts'
import { loadPolicy } from '../load/policy.ts'
import { loadPolicyFile } from '../parse/policy-file.ts'
import { BUILTIN_CHECKS, type CheckSettings, mergeSettings, optionsOf, settingsOf } from './builtin-checks.ts'
import { formatProblem } from './policy-problem.ts'

const crypto = { sha256: (text: string) => createHash('sha256').update(text).digest('hex') } as unknown as Crypto

function rules(checks: string, more = '') {
  const text = `version: 1\n${more}rules:\n  - tool: x\n    supervision: notify\n    checks: ${checks}\n`
  return loadPolicyFile({ layer: 'user', name: 'p.yaml', text }, { checkers: BUILTIN_CHECKS })
}

function problems(checks: string, more = ''): readonly string[] {
  const loaded = rules(checks, more)
  return loaded.kind === 'refused' ? loaded.problems.map(formatProblem) : []
}

describe('the checks of a rule', () => {
  it('are names, or names with options, with defaults for the rest', () => {
    const loaded = rules('[backup, { size: { most: 5MB } }, { url: { allow: example.com, schemes: [https] } }]')
    expect(loaded.kind === 'loaded' && loaded.rules[0]).toMatchObject({
      checks: ['backup', 'size', 'url'],
      settings: {
        backup: { most: 104_857_600, files: 1000 },
        size: { most: 5_242_880, deleted: 104_857_600, files: 100 },
        url: { allow: ['example.com'], schemes: ['https'] },
      },
    })
  })

  it.each([
    ['[bakup]', 'p.yaml:5:14: no checker is called `bakup`', 'backup'],
    ['[{ size: { mots: 5MB } }]', 'p.yaml:5:24: `mots` is not a key of the check `size`', 'most'],
    ['[{ sizes: { most: 5MB } }]', 'p.yaml:5:16: `sizes` is not a key of a check with options', 'size'],
    ['[{ size: { most: 5 } }]', 'p.yaml:5:30: expected a size such as 500KB', ''],
    ['[{ size: { files: 0 } }]', 'p.yaml:5:31: `files` is at least 1', ''],
    ['[{ size: {} }]', 'p.yaml:5:22: `size` is empty', ''],
    ['[{ secrets: { most: 5MB } }]', 'p.yaml:5:16: `secrets` is not a key of a check with options', ''],
    ['[{ size: { most: 5MB }, url: { allow: x } }]', 'p.yaml:5:14: write each check with options', ''],
    ['[3]', 'p.yaml:5:14: expected the name of a checker', ''],
  ])('are refused as %s', (checks, message, suggestion) => {
    const [problem = ''] = problems(checks)
    expect(problem).toContain(message)
    expect(problem).toContain(suggestion)
  })
})

describe('options set by several rules', () => {
  const settings = fc
    .uniqueArray(fc.constantFrom(...BUILTIN_CHECKS), { minLength: 1, maxLength: 3 })
    .chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc
            .record(
              Object.fromEntries(
                Object.entries(optionsOf(name)).map(([option, { kind }]) => [
                  option,
                  kind === 'bytes' || kind === 'count'
                    ? fc.integer({ min: 1, max: 9 })
                    : fc.subarray(['a', 'b', 'c']).map((list): readonly string[] => list),
                ]),
              ),
              { requiredKeys: [] },
            )
            .map((options) => ({ name, options })),
        ),
      ),
    )
    .map((checks): CheckSettings => settingsOf(checks))

  it('merge to the same result in any order and repetition', () => {
    fc.assert(
      fc.property(settings, settings, settings, (a, b, c) => {
        const all = mergeSettings([a, b, c])
        expect(mergeSettings([c, a, b, a])).toEqual(all)
        expect(mergeSettings([mergeSettings([a, b]), c])).toEqual(all)
      }),
    )
  })

  it('are as strict as each of them: they allow less and require more', () => {
    fc.assert(
      fc.property(settings, settings, (a, b) => {
        for (const [check, options] of Object.entries(mergeSettings([a, b]))) {
          for (const [name, value] of Object.entries(options)) {
            const other = a[check]?.[name]
            if (typeof value === 'number' && typeof other === 'number')
              expect(optionsOf(check)[name]?.stricter === 'more' ? value >= other : value <= other).toBe(true)
            if (typeof value === 'object' && typeof other === 'object')
              expect(other).toEqual(expect.arrayContaining([...value]))
          }
        }
      }),
    )
  })

  it('a rule without options keeps the defaults, so another cannot loosen it', () => {
    const plain = settingsOf([{ name: 'size', options: {} }])
    const loose = settingsOf([{ name: 'size', options: { most: 10 ** 9 } }])
    expect(mergeSettings([plain, loose])).toEqual(plain)
  })
})

describe('external checkers', () => {
  const file = (layer: PolicyFile['layer'], text: string, more: Partial<PolicyFile> = {}): PolicyFile => ({
    layer,
    name: `${layer}.yaml`,
    trusted: false,
    text: `version: 1\n${text}`,
    ...more,
  })
  const DEFINED = 'checkers: { ticket: { run: [~/bin/ticket, --strict], timeout: 3s } }\n'
  const NAMED = 'rules: [{ tool: x, supervision: confirm, checks: [ticket] }]\n'
  const load = (...files: PolicyFile[]) => loadPolicy(files, { checkers: BUILTIN_CHECKS, crypto })

  it('can be defined in one file and named in another', () => {
    const loaded = load(file('user', DEFINED), file('managed', NAMED))
    expect(loaded.kind === 'loaded' && loaded.policy.programs).toMatchObject([
      { name: 'ticket', run: ['~/bin/ticket', '--strict'], timeoutMs: 3000, file: 'user.yaml', line: 2, trusted: true },
    ])
  })

  it.each([
    [false, false],
    [true, true],
  ])('of a project run only if it is trusted: %s', (trusted, runs) => {
    const loaded = load(file('project', DEFINED + NAMED, { trusted }))
    expect(loaded.kind === 'loaded' && loaded.policy.programs).toMatchObject([{ name: 'ticket', trusted: runs }])
  })

  it.each([
    ['checkers: { secrets: { run: [x] } }', 'is a built-in check'],
    ['checkers: { t: { run: [./x] } }', 'depends on the folder'],
    ['checkers: { t: { run: [a/x] } }', 'depends on the folder'],
    ['checkers: { t: { run: [] } }', '`run`'],
    ['checkers: { t: { run: x } }', 'expected a list'],
    ['checkers: { t: { rum: [x] } }', '`rum` is not a key of a checker'],
    ['checkers: { t: { run: [x], timeout: 1m } }', 'at most 30s'],
  ])('are refused as %s', (text, message) => {
    const loaded = load(file('user', `${text}\n`))
    expect(loaded.problems.map(formatProblem).join('\n')).toContain(message)
  })

  it('with the same name are refused as ambiguous', () => {
    const { problems } = load(file('user', DEFINED), file('project', DEFINED))
    expect(problems.map(formatProblem).join('\n')).toContain('the checker `ticket` is already defined')
  })
})

it('backups are kept for the longest time that any file sets', () => {
  const file = (name: string, text: string): PolicyFile => ({
    layer: 'user',
    name,
    trusted: false,
    text: `version: 1\ndefaults: { backups: ${text} }\n`,
  })
  const loaded = loadPolicy([file('a', '{ keep: 12h, most: 2GB }'), file('b', '{ keep: 3d }')], {
    checkers: [],
    crypto,
  })
  expect(loaded.kind === 'loaded' && loaded.policy.backups).toEqual({ keepMs: 259_200_000, mostBytes: 2 * 1024 ** 3 })
})
