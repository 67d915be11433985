import { isDecidingSubcommand } from '@countersign/core'
import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { SUBCOMMANDS } from '../subcommands.ts'
import type { Io } from '../terminal/io.ts'
import { pathOf } from './deciding-guard.ts'

/** Commands that decide nothing: they read, ask the gate, or work in a home of their own. */
const ASKING = [
  'approvers list',
  'changes diff',
  'changes list',
  'changes undo',
  'complete',
  'completion',
  'contain',
  'demo',
  'doctor',
  'exec',
  'gates list',
  'grants list',
  'held',
  'history',
  'hook',
  'intent',
  'journal checkpoint',
  'journal export',
  'journal rotate',
  'journal tail',
  'journal verify',
  'journal witness',
  'knowledge lint',
  'knowledge show',
  'knowledge test',
  'mcp',
  'mcp tools',
  'notify list',
  'notify status',
  'policy changes',
  'policy explain',
  'policy import',
  'policy lint',
  'policy schema',
  'policy test',
  'preview',
  'risk',
  'run',
  'scan',
  'status',
  'store check',
  'undo',
]

async function allCommands(): Promise<readonly Command[]> {
  const program = new Command('countersign').enablePositionalOptions()
  for (const { name, load } of SUBCOMMANDS) (await load()).define(program.command(name), {} as Io)
  return program.commands.flatMap((one) =>
    one.name() === 'mcp' || one.commands.length === 0 ? [one, ...one.commands] : one.commands,
  )
}

describe('commands inside a gated call', () => {
  it('are each known to decide, or not to', async () => {
    const names = (await allCommands()).map(pathOf)
    expect(names.filter((name) => !isDecidingSubcommand(name)).sort()).toEqual(ASKING)
  })

  it('are refused if they decide', async () => {
    const names = (await allCommands()).map(pathOf).filter(isDecidingSubcommand)
    expect(names.length).toBeGreaterThan(15)
    for (const name of names) {
      const env = { COUNTERSIGN_INSIDE: 'c1' }
      const words =
        /^(?:approve|reject|approvers remove|mcp (?:accept|forget|trust)|home (?:backup|move|restore)|policy (?:set|add)|notify (?:add|remove|quiet|set)|store (?:use|copy)|gates (?:join|remove))$/.test(
          name,
        )
          ? [name, 'x', ...(/ set$/.test(name) ? ['deny'] : [])]
          : [name]
      const ran = await runInProcess(words.join(' ').split(' '), {
        cwd: temporaryFolder(),
        home: temporaryFolder(),
        env,
      })
      expect({ name, code: ran.code, said: ran.stderr }).toMatchObject({
        code: 125,
        said: expect.stringMatching(/running inside the gated call `c1`.*\[CS_DENIED\]/),
      })
    }
  })
})
