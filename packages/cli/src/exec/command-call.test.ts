import { describe, expect, it } from 'vitest'
import { commandCall, commandOf, execCall } from './command-call.ts'

const targets = { program: async (name: string) => (name === 'git' ? '/usr/bin/git' : undefined) }

describe('a command line as a call', () => {
  it('is a shell command if it is one word', async () => {
    const call = await execCall(['git status | wc -l'], '/project', targets)
    expect(call.args).toEqual({ command: 'git status | wc -l' })
    expect(commandOf(call.args as { command: string })).toEqual({ command: 'git status | wc -l' })
  })

  it('is exact words if there are several, with the program looked up once', async () => {
    const call = await execCall(['git', 'log', '$(rm -rf ~)'], '/project', targets)
    expect(call.args).toEqual({ command: ['git', 'log', '$(rm -rf ~)'], program: '/usr/bin/git' })
    expect(commandOf(call.args as never)).toEqual({ argv: ['git', 'log', '$(rm -rf ~)'], programPath: '/usr/bin/git' })
  })

  it('refuses a missing program, and an empty command', async () => {
    await expect(execCall(['nope', 'x'], '/project', targets)).rejects.toMatchObject({ code: 'CS_TARGET' })
    expect(() => commandCall([])).toThrow('no command given')
    expect(() => commandCall(['  '])).toThrow('no command given')
  })

  it.each([{}, { command: 3 }, { command: [], program: '/x' }, { command: ['git', 'log'] }])(
    'takes no command from the arguments %j',
    (args) => {
      expect(() => commandOf(args as never)).toThrow('not a command')
    },
  )
})
