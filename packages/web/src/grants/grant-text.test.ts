import { describe, expect, it } from 'vitest'
import type { ListedGrant } from '../api/service.ts'
import { grantLeftText, grantScopeText } from './grant-text.ts'

function grant(scope: ListedGrant['scope'], more: Partial<ListedGrant> = {}): ListedGrant {
  const given = { id: 'g', session: 's', agent: ['a'], givenBy: 'Ana', givenAt: 0, uses: 0, call: 'c', from: null }
  return { ...given, scope, lifetime: { kind: 'session' }, ...more }
}

describe('the description of a grant', () => {
  const from = { tool: 'tracker/create_issue', summary: '', args: {} }
  it.each<[ListedGrant, string]>([
    [grant({ kind: 'exact', grantKey: 'k' }, { from }), '`tracker/create_issue` with exactly these arguments'],
    [grant({ kind: 'exact', grantKey: 'k' }), 'one tool with exactly the same arguments'],
    [grant({ kind: 'tool', server: 'db', tool: 'query', definition: 'd' }), 'every call of `db/query`'],
    [grant({ kind: 'server', server: 'db' }), 'every tool of server `db`'],
    [
      grant({
        kind: 'pattern',
        when: { tool: ['run'], command: { program: ['git'], verb: ['add'] }, not: { command: { flags: ['-C'] } } },
      }),
      'commands `git add …` of `run`, without variables, redirections and flags `-C`',
    ],
    [
      grant({
        kind: 'pattern',
        when: { tool: ['run'], command: { program: ['git'], verb: ['add'] } },
        around: { cwd: '/srv/app', beside: ['shell', 'user'], key: 'k' },
      }),
      'commands `git add …` of `run` in `/srv/app`, with the same `shell`, `user`, without variables and redirections',
    ],
    [
      grant({ kind: 'pattern', when: { tool: ['a', 'b'], args: { n: { above: 3 } } } }),
      'calls with tool `a, b` and args n above `3`',
    ],
  ])('for %j is %j', (given, words) => {
    expect(grantScopeText(given)).toBe(words)
  })

  it('includes the remaining time and uses', () => {
    const one = (lifetime: ListedGrant['lifetime'], uses = 0) =>
      grantLeftText(grant({ kind: 'server', server: 's' }, { lifetime, uses }), 1_000)
    expect(one({ kind: 'uses', uses: 5 }, 4)).toBe('1 use left')
    expect(one({ kind: 'until', at: 61_000 })).toBe('1:00 left')
    expect(one({ kind: 'session' })).toBe('until the session ends')
  })
})
