import { CountersignError } from '@countersign/core'
import { Option } from 'commander'
import type { InitFlags } from '../agents/init-flags.ts'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'

/** `countersign init`: puts the coding agents of this machine behind the gate, and undoes that. */
export const command: Subcommand = {
  name: 'init',
  summary: 'put the coding agents on this machine behind the gate',
  define(command, io) {
    addExamples(command, [
      ['countersign init', 'find your agents, show the changes, ask once'],
      ['countersign init --only claude-code,codex --in ~/code', 'two agents, which can work only in this folder'],
      ['countersign init --dry-run', 'only show the changes'],
      ['countersign init --undo', 'restore every file byte for byte'],
    ])
    command
      .option('--only <agents>', 'only these, separated by commas: claude-code, codex, gemini-cli, …', listOf)
      .option('--project', 'change the settings of this project instead of your account’s')
      .option('--in <dir>', 'a folder that agents can work in; repeatable (default: any project)', collect)
      .addOption(
        new Option('--ask <where>', 'where you are asked: in Countersign, or in the agent’s own prompt').choices([
          'desk',
          'host',
        ]),
      )
      .option('--service', 'also run the service at every login (systemd or launchd)')
      .option('--trust-hooks', 'also mark these hooks as trusted in Codex')
      .option('--import-rules', 'also add the agents’ own rules to your policy, after showing them')
      .option('--undo', 'undo what `init` wrote')
      .option('--dry-run', 'show the changes without making them')
      .option('--yes', 'do not ask')
      .option('--account-home <dir>', 'the home folder with the agents’ settings (default: the account’s)')
      .option('--allow-unstable-path', 'allow this copy’s path even if it is a clone or a cache (for development)')
      .action(async (flags: InitFlags) => {
        if (flags.undo !== undefined) {
          refuseOthers(flags)
          const { undoInit } = await import('./undo-init.ts')
          return undoInit(flags, io)
        }
        const { runInit } = await import('./run-init.ts')
        return runInit(flags, io)
      })
  },
}

const SETTING_FLAGS = ['project', 'in', 'ask', 'service', 'trustHooks', 'importRules'] as const

function refuseOthers(flags: InitFlags): void {
  if (SETTING_FLAGS.every((name) => flags[name] === undefined)) return
  throw new CountersignError('CS_USAGE', '`--undo` takes only `--only`, `--dry-run` and `--yes`')
}

function listOf(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim())
}

function collect(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text]
}
