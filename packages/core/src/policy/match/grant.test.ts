import { describe, expect, it } from 'vitest'
import { circumstancesAt, someCall, someGrant, someRated, someRisk } from '../../../../../test/model/case.ts'
import type { GrantScope } from '../model/grant.ts'
import { grantCovers } from './grant.ts'

const NOW = circumstancesAt()
const shell = someCall({
  tool: { server: null, name: 'run', definition: 'def' },
  descriptor: { kind: 'execute', source: 'known', command: 'x' },
  around: { cwd: '/srv/app', beside: [], key: 'k' },
})
const around = { cwd: '/srv/app', beside: [], key: 'k' }
const npm = someRisk({ parts: [someRated(['npm', 'test'])] })

const covers = (fields: Parameters<typeof someGrant>[0], call = someCall(), risk = someRisk(), now = NOW): boolean =>
  grantCovers(someGrant(fields), call, risk, now)

describe('a grant', () => {
  it('covers only its own session and agent path', () => {
    expect(covers({})).toBe(true)
    expect(covers({ session: 's2' })).toBe(false)
    expect(covers({ session: null })).toBe(false)
    expect(covers({ agent: ['main', 'helper'] })).toBe(false)
    expect(covers({}, someCall({ agent: { name: 'main', parents: ['outer'] } }))).toBe(false)
  })

  it('ends after its time and its uses', () => {
    expect(covers({ lifetime: { kind: 'until', at: NOW.now + 1 } })).toBe(true)
    expect(covers({ lifetime: { kind: 'until', at: NOW.now } })).toBe(false)
    expect(covers({ lifetime: { kind: 'uses', uses: 0 } })).toBe(false)
  })

  // Scenario 49 and 56: the same bare name on another server, or with a new definition, is another tool.
  it.each([
    [{ server: 'files', name: 'write_file', definition: 'def' }],
    [{ server: null, name: 'write_file', definition: 'new' }],
    [{ server: null, name: 'Write_file', definition: 'def' }],
  ])('for a tool does not cover %j', (tool) => {
    expect(covers({}, someCall({ tool }))).toBe(false)
  })

  it('for a server covers its tools', () => {
    const scope: GrantScope = { kind: 'server', server: 'pg' }
    expect(covers({ scope }, someCall({ tool: { server: 'pg', name: 'query', definition: 'def' } }))).toBe(true)
    expect(covers({ scope })).toBe(false)
  })

  // Scenario 50, F6.
  it('never covers a shell by name', () => {
    expect(covers({ scope: { kind: 'tool', server: null, tool: 'run', definition: 'def' } }, shell, npm)).toBe(false)
    expect(covers({ scope: { kind: 'pattern', when: { tool: ['run'] } } }, shell, npm)).toBe(false)
    expect(
      covers({ scope: { kind: 'pattern', when: { tool: 'run', args: { command: { glob: 'npm*' } } } } }, shell, npm),
    ).toBe(false)
    expect(covers({ scope: { kind: 'exact', grantKey: 'key' } }, shell, npm)).toBe(true)
  })

  it('for a command pattern requires a definite match of every part', () => {
    const scope = { kind: 'pattern', when: { command: { program: 'npm', verb: ['test'] } }, around } as const
    expect(covers({ scope }, shell, npm)).toBe(true)
    expect(covers({ scope: { kind: 'pattern', when: scope.when } }, shell, npm)).toBe(false)
    expect(covers({ scope: { ...scope, around: { ...around, key: 'other' } } }, shell, npm)).toBe(false)
    expect(covers({ scope }, { ...shell, around: null }, npm)).toBe(false)
    expect(covers({ scope }, shell, someRisk({ parts: [someRated(['npm', 'test']), someRated(['rm', 'x'])] }))).toBe(
      false,
    )
    expect(covers({ scope }, shell, someRisk({ parts: [someRated(['npm', null])] }))).toBe(false)
    expect(covers({ scope }, shell, someRisk({ parts: [someRated(['./npm', 'test'])] }))).toBe(false)
    expect(covers({ scope }, shell, { ...npm, understood: false })).toBe(false)
    expect(covers({ scope }, shell, { ...npm, level: 'medium' })).toBe(false)
  })

  it('covers nothing if its pattern is invalid', () => {
    expect(covers({ scope: { kind: 'pattern', when: { tol: ['write_file'] } } })).toBe(false)
    expect(covers({ scope: { kind: 'pattern', when: null } })).toBe(false)
  })

  it('without a session covers only the same arguments, for a limited time', () => {
    const call = someCall({ session: null })
    expect(covers({ session: null }, call)).toBe(false)
    expect(covers({ session: null, scope: { kind: 'exact', grantKey: 'key' } }, call)).toBe(false)
    expect(
      covers(
        { session: null, scope: { kind: 'exact', grantKey: 'key' }, lifetime: { kind: 'until', at: NOW.now + 1 } },
        call,
      ),
    ).toBe(true)
  })
})
