import { loadWrapping } from '@countersign/mcp'
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { addGlobalFlags } from '../../program.ts'
import type { Io } from '../../terminal/io.ts'
import { command } from '../mcp.ts'

it('parses a gated command with the same flags and subcommands as the CLI', async () => {
  const { SUBCOMMANDS, SWITCHES, VALUE_FLAGS } = await loadWrapping()
  const defined = addGlobalFlags(new Command('mcp'))
  command.define(defined, {} as Io)
  const flags = (takesValue: boolean) =>
    new Set(defined.options.filter((one) => one.required === takesValue).map((one) => one.long))
  expect(flags(true)).toEqual(VALUE_FLAGS)
  expect(flags(false)).toEqual(SWITCHES)
  expect(new Set(defined.commands.map((one) => one.name()))).toEqual(SUBCOMMANDS)
})
