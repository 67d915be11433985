import { describe, expect, it } from 'vitest'
import { overrideCommand, overrideYaml } from './tool-override.ts'

describe('the change of policy for one tool', () => {
  it('is written so that a name stays a name', () => {
    expect(overrideYaml('a"b: *', 'deny')).toBe('version: 1\ntools:\n  "a\\"b: *": deny\n')
  })

  it('has a command only for a plain name', () => {
    expect(overrideCommand('postgres/query', 'manual')).toContain(
      'tools:\\n  "postgres/query": manual\\n\' > ~/.countersign/policy.d/tool-postgres-query.yaml',
    )
    for (const name of ["x'; rm -rf ~; '", 'a b', '$(id)', 'a`id`', 'a\nb', '../../x', 'a/b/c', ''])
      expect(overrideCommand(name, 'deny')).toBeNull()
  })
})
