import { describe, expect, it } from 'vitest'
import { readTask } from './task-file.ts'

const HEAD = 'version: 1\ntask: tidy up\n'

describe('a task file', () => {
  it('is read-only and limited by default', () => {
    expect(readTask(HEAD, 't.yaml')).toEqual({
      name: 't.yaml',
      text: 'tidy up',
      mode: 'read-only',
      model: null,
      tools: null,
      commands: [],
      uncounted: [],
      hosts: null,
      paths: { allow: null, deny: [] },
      limits: { files: 10, lines: 500, bytes: 1_048_576, tokens: 200_000, timeMs: 300_000, turns: 25 },
    })
  })

  it('can set everything', () => {
    const text = `${HEAD}mode: write
model: openai/some
tools: [read_file, "edit_*", "notes/*"]
commands: ["npm test"]
uncounted: ["notes/*"]
hosts: ["*.example.org"]
paths: { allow: ["src/**"], deny: ["**/*.lock"] }
limits: { files: 3, lines: 20, bytes: 99, tokens: 1000, time: 30s, turns: 4 }
`
    expect(readTask(text, 't.yaml')).toMatchObject({
      mode: 'write',
      model: 'openai/some',
      tools: ['read_file', 'edit_*', 'notes/*'],
      commands: ['npm test'],
      uncounted: ['notes/*'],
      hosts: ['*.example.org'],
      paths: { allow: ['src/**'], deny: ['**/*.lock'] },
      limits: { files: 3, lines: 20, bytes: 99, tokens: 1000, timeMs: 30_000, turns: 4 },
    })
  })

  it.each([
    ['an unknown key', `${HEAD}modes: write\n`, 't.yaml:3:1: `modes` is not a key of a task'],
    ['a nested unknown key', `${HEAD}limits:\n  file: 3\n`, 't.yaml:4:3: `file` is not a key of `limits`'],
    ['an unknown mode', `${HEAD}mode: readonly\n`, 't.yaml:3:7: `mode`: invalid option'],
    ['a missing task', 'version: 1\n', 't.yaml:1:1: `task`: invalid input'],
    ['another version', 'version: 2\ntask: x\n', 't.yaml:1:10: `version`: invalid input'],
    ['71: an unclosed glob', `${HEAD}paths:\n  deny: ["a[b"]\n`, 't.yaml:4:10: `paths.deny.0`: `[` is never closed'],
    ['71: a glob with `..`', `${HEAD}paths: { allow: ["../**"] }\n`, '`paths.allow.0`: `.` and `..` are resolved'],
    ['71: a path glob for tools', `${HEAD}tools: ["{a,b}"]\n`, '`tools.0`: only `*` is special here'],
    ['an empty list of tools, which would allow none', `${HEAD}tools: []\n`, '`tools`'],
    [
      'a command that ends in a line break',
      `${HEAD}commands:\n  - |\n    npm test\n`,
      '`commands.0`: remove the space or line break',
    ],
    ['an invalid time', `${HEAD}limits: { time: 5 minutes }\n`, 'use a time such as 30s'],
    ['a negative limit', `${HEAD}limits: { files: -1 }\n`, '`limits.files`'],
    ['a duplicate key', `${HEAD}task: other\n`, 't.yaml:3:1: `task` is written twice'],
    ['invalid YAML', `${HEAD}paths: [\n`, 't.yaml:4:1: '],
    ['two documents', `${HEAD}---\n${HEAD}`, 'a task file is one document'],
    ['an empty file', '', 't.yaml:1:1: '],
  ])('is refused as a whole: %s', (_, text, message) => {
    expect(() => readTask(text, 't.yaml')).toThrow(
      expect.objectContaining({ code: 'CS_TASK', message: expect.stringContaining(message) }),
    )
  })
})
