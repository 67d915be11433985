import type { Files } from '../drivers/host-driver.ts'
import type { HostName } from './programs.ts'

/** How a person denies `touch` in the host's own rules. */
export interface OwnRule {
  readonly args?: readonly string[]
  readonly files?: (files: Files) => Files
}

const added = (path: string, fields: object) => (files: Files) => ({
  ...files,
  [path]: JSON.stringify({ ...JSON.parse(files[path] ?? '{}'), ...fields }),
})
const withFile = (path: string, text: string) => (files: Files) => ({ ...files, [path]: text })

export const OWN_RULES: Readonly<Record<HostName, OwnRule>> = {
  'claude-code': { files: added('~/.claude/settings.json', { permissions: { deny: ['Bash(touch:*)'] } }) },
  codex: { files: withFile('~/.codex/rules/default.rules', 'prefix_rule(pattern=["touch"], decision="forbidden")\n') },
  'gemini-cli': {
    files: withFile(
      '~/.gemini/policies/deny.toml',
      '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n',
    ),
  },
  copilot: { args: ['--deny-tool', 'shell(touch:*)'] },
  opencode: {
    files: added('.opencode/opencode.json', { permission: { bash: { '*': 'allow', 'touch *': 'deny' } } }),
  },
}
