import { isAbsolute, join } from 'node:path'
import type { HostName } from '../contract/host-name.ts'
import { optionValues, rulesIn } from './command-line.ts'
import { copilotRule, urlRule } from './copilot.ts'
import type { OwnRule } from './might-match.ts'
import { opencodeRule, permissionRules } from './opencode.ts'
import { type OwnRulePlace, readRuleFile } from './own-rule-files.ts'
import { orUnread, rulesOf, unread } from './own-rules.ts'
import { jsonOf } from './read-settings.ts'

/** The rules that an agent's process was started with. */
export function rulesInStart(host: HostName, { argv, env, folders }: OwnRulePlace): readonly OwnRule[] {
  const values = (...names: readonly string[]) => optionValues(argv ?? [], names)
  const [folder = '/'] = folders
  const inFiles = (paths: readonly string[]): readonly OwnRule[] =>
    paths.flatMap((path) => rulesOf(host, readRuleFile(isAbsolute(path) ? path : join(folder, path))))
  switch (host) {
    case 'claude-code': {
      const settings = values('--settings', '--managed-settings')
      const isText = (one: string): boolean => one.trimStart().startsWith('{')
      const texts = settings.filter(isText).map((text) => ({ name: '--settings', text }))
      const deny = values('--disallowedTools', '--disallowed-tools').flatMap(rulesIn)
      const given = { name: '--disallowedTools', text: JSON.stringify({ permissions: { deny } }) }
      return [
        ...[given, ...texts].flatMap((one) => rulesOf(host, one)),
        ...inFiles(settings.filter((one) => !isText(one))),
      ]
    }
    case 'gemini-cli': {
      const named = ['GEMINI_CLI_SYSTEM_SETTINGS_PATH', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH'].flatMap(
        (name) => env?.[name] ?? [],
      )
      return [...inFiles(named), ...values('--policy', '--admin-policy').map(unread)]
    }
    case 'copilot':
      return [
        ...values('--deny-tool').flatMap(rulesIn).flatMap(copilotRule),
        ...values('--deny-url').flatMap(rulesIn).map(urlRule),
      ]
    case 'opencode': {
      const permission = env?.['OPENCODE_PERMISSION']
      const content = env?.['OPENCODE_CONFIG_CONTENT']
      const file = env?.['OPENCODE_CONFIG']
      return [
        ...(permission === undefined
          ? []
          : orUnread('OPENCODE_PERMISSION', () =>
              permissionRules(jsonOf({ name: 'OPENCODE_PERMISSION', text: permission })).flatMap(opencodeRule),
            )),
        ...(content === undefined ? [] : rulesOf(host, { name: 'OPENCODE_CONFIG_CONTENT', text: content })),
        ...(file === undefined ? [] : inFiles([file])),
      ]
    }
    default:
      return []
  }
}
