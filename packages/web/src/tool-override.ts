/** What a person may set for one tool. */
export const OVERRIDES = ['automatic', 'notify', 'confirm', 'manual', 'deny'] as const

/** One of `OVERRIDES`. */
export type Override = (typeof OVERRIDES)[number]

const PLAIN = /^[\w.:@-]+(?:\/[\w.:@-]+)?$/

/** The lines of policy that set one tool, in its short form. */
export function overrideYaml(tool: string, supervision: Override): string {
  return `version: 1\ntools:\n  ${JSON.stringify(tool)}: ${supervision}\n`
}

/**
 * The command that writes those lines as a file of their own and has them read. Null for a name that is more than plain
 * letters: nothing that a server made up is ever put into a shell command.
 */
export function overrideCommand(tool: string, supervision: Override): string | null {
  if (!PLAIN.test(tool)) return null
  const file = `~/.countersign/policy.d/tool-${tool.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.yaml`
  const lines = `version: 1\\ntools:\\n  "${tool}": ${supervision}\\n`
  return `mkdir -p ~/.countersign/policy.d && printf '${lines}' > ${file} && countersign policy lint ${file}`
}
