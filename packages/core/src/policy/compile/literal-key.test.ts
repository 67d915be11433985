import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { literalKey, regexPrefix } from './literal-key.ts'
import { PrefixTable } from './rule-bucket.ts'

describe('the literal prefix of an expression', () => {
  it.each([
    ['^git\\s+push', 'git'],
    ['^/srv/x', '/srv/x'],
    ['^a\\.b', 'a.b'],
    ['^gits?', 'git'],
    ['^git*', 'gi'],
    ['^git+', 'git'],
    ['^git{0,1}', 'gi'],
    ['^😀*x', ''],
    ['^\\d', ''],
    ['^a|b', ''],
    ['^(a|b)', ''],
    ['(?i)^git', ''],
    ['git', ''],
    ['^[g]it', ''],
    ['^git$', 'git'],
  ])('of %s is "%s"', (pattern, prefix) => {
    expect(regexPrefix(pattern)).toBe(prefix)
    for (const text of ['git push', 'gi', 'b', 'x', 'a.b', 'GIT', '/srv/x', 'git', 'gitt']) {
      if (RE2JS.compile(pattern).test(text)) expect(text.startsWith(prefix)).toBe(true)
    }
  })
})

describe('the literal key of conditions', () => {
  it.each([
    [
      { args: { path: { glob: '/srv/*' }, env: { equals: 'prod' } } },
      { kind: 'argument', name: 'env', values: ['prod'] },
    ],
    [{ args: { a: { glob: '/s*' }, b: { regex: '^git' } } }, { kind: 'prefix', name: 'b', prefix: 'git' }],
    [{ args: { 'a.b': { equals: 1 } } }, null],
    [{ args: { a: { equals: null } } }, null],
    [{ args: { a: { above: 1 } } }, null],
    [{ command: { program: ['git', 'npm'] } }, { kind: 'program', names: ['git', 'npm'] }],
    [{ command: { program: ['git*'] } }, null],
    [{ path: { glob: ['/etc/**', '/srv/a*'] } }, { kind: 'path', prefixes: ['/etc', '/srv/a'] }],
    [{ path: { glob: ['/etc/**', '**/.env'] } }, null],
    [{ path: { inside: ['/etc'] } }, null],
  ])('for %j is %j', (when, key) => {
    expect(literalKey(when)).toEqual(key)
  })
})

it('finds every stored prefix of a text', () => {
  const table = new PrefixTable<string>()
  for (const prefix of ['', '/a', '/a/b', '/b', '/a/b/c']) table.add(prefix, prefix)
  const found: string[] = []
  table.search('/a/b/x', { visit: (items) => found.push(...items) })
  expect(found).toEqual(['', '/a', '/a/b'])
})
