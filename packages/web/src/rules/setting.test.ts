import { describe, expect, it } from 'vitest'
import { isPlainName, settingOf } from './setting.ts'

describe('the setting of a tool or server', () => {
  const rules = [
    { id: 'a', tool: 'deploy', supervision: 'deny' },
    { id: 'b', tool: 'deploy', path: '/srv', supervision: 'automatic' },
    { id: 'c', server: 'tracker', supervision: 'confirm' },
  ]

  it.each([
    [{ tool: 'deploy' }, 'deny'],
    [{ server: 'tracker' }, 'confirm'],
    [{ tool: 'tracker' }, 'default'],
    [{ tool: 'other' }, 'default'],
  ] as const)('of %j is %s', (target, setting) => {
    expect(settingOf(rules, target)).toBe(setting)
  })

  it.each(['*', 'db_*', 'a?', '[ab]', 'a b', 'a/b/c', '', 'p\u0430ypal', 'abc\u202egnp', 'a'.repeat(300)])(
    'is not offered for the name %j',
    (name) => expect(isPlainName(name)).toBe(false),
  )

  it('is offered for ordinary names', () => {
    expect(['deploy', 'tracker/create_issue', 'a.b:c'].every(isPlainName)).toBe(true)
  })
})
