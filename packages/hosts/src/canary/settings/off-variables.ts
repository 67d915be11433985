import type { HostName } from '../../contract/host-name.ts'

/** Environment variables with which an agent skips every hook. Measured in `test/hosts/ways-around.yaml`. */
const VARIABLES: Partial<Readonly<Record<HostName, readonly string[]>>> = {
  'claude-code': ['CLAUDE_CODE_SIMPLE'],
  opencode: ['OPENCODE_PURE'],
}

/** A sentence for every variable of this environment that turns an agent's hooks off. */
export function offVariables(host: HostName, env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return (VARIABLES[host] ?? [])
    .filter((name) => !['', '0', 'false', undefined].includes(env[name]))
    .map((name) => `\`${name}\` is set here, so an agent started from here runs tools without asking; unset it`)
}
