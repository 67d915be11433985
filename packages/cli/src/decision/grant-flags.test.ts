import type { GrantOffer } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { grantFor } from './grant-flags.ts'

const exact = { kind: 'exact', grantKey: 'k' } as const
const tool = { kind: 'tool', server: null, tool: 't', definition: 'd' } as const
const offers: readonly GrantOffer[] = [
  {
    scope: exact,
    lifetimes: [
      { kind: 'uses', uses: 5 },
      { kind: 'minutes', minutes: 10 },
    ],
    words: 'exactly',
  },
  { scope: tool, lifetimes: [{ kind: 'session' }], words: 'all' },
]

describe('a grant from flags', () => {
  it.each([
    [{}, undefined],
    [
      { grant: 'exact', for: '10m' },
      { scope: exact, lifetime: { kind: 'minutes', minutes: 10 } },
    ],
    [
      { grant: 'exact', for: '5' },
      { scope: exact, lifetime: { kind: 'uses', uses: 5 } },
    ],
    [
      { grant: 'exact', for: '45m' },
      { scope: exact, lifetime: { kind: 'minutes', minutes: 45 } },
    ],
    [
      { grant: 'exact', for: '20' },
      { scope: exact, lifetime: { kind: 'uses', uses: 20 } },
    ],
    [{ grant: 'tool' }, { scope: tool, lifetime: { kind: 'session' } }],
  ])('of %j is %j', (flags, grant) => {
    expect(grantFor(offers, flags)?.grant).toEqual(grant)
  })

  it.each([
    [{ grant: 'exact' }],
    [{ grant: 'exact', for: '481m' }],
    [{ grant: 'tool', for: '10m' }],
    [{ grant: 'exact', for: '0' }],
    [{ grant: 'server', for: 'session' }],
  ])('of %j is refused, with the offered grants', (flags) => {
    expect(() => grantFor(offers, flags)).toThrow(
      'offered: --grant exact --for 5, --grant exact --for 10m, --grant tool --for session',
    )
  })

  it('names the host or the folder of an exception, and a kind alone only if one is offered', () => {
    const host = (name: string): GrantOffer => ({
      scope: { kind: 'network', host: name },
      lifetimes: [{ kind: 'session' }],
      words: name,
    })
    const bounds = { write: ['/srv/my out'], read: [], network: [], credentials: [] }
    const exception: GrantOffer = { scope: exact, lifetimes: [{ kind: 'session' }], words: 'sandbox', bounds }
    const many = [host('a.example'), host('b.example'), exception, ...offers]
    expect(grantFor(many, { grant: 'network:b.example' })?.grant.scope).toEqual({ kind: 'network', host: 'b.example' })
    expect(grantFor([host('a.example')], { grant: 'network', for: 'session' })?.grant.scope).toMatchObject({
      host: 'a.example',
    })
    expect(grantFor(many, { grant: 'exact:/srv/my out' })?.grant).toMatchObject({ bounds })
    expect(grantFor(many, { grant: 'exact', for: '10m' })?.grant).not.toHaveProperty('bounds')
    expect(() => grantFor(many, { grant: 'network', for: 'session' })).toThrow(
      "offered: --grant network:a.example --for session, --grant network:b.example --for session, --grant 'exact:/srv/my out' --for session",
    )
  })

  it('is refused if none is offered, and a lifetime alone is not a grant', () => {
    expect(() => grantFor([], { grant: 'exact' })).toThrow('a grant would change nothing')
    expect(() => grantFor(offers, { for: '10m' })).toThrow('choose one with `--grant`')
  })
})
