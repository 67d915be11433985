import type { CommandPart } from '../../command/model/decomposition.ts'
import { hasFlag } from '../../command/programs/subcommand.ts'

const DASH = 45

/** Whether any of these flags is certainly given. */
export function anyFlag(part: CommandPart, ...flags: readonly string[]): boolean {
  // Most commands have no options, and are checked for many flags.
  if (!hasOptions(part)) return false
  for (const flag of flags) if (hasFlag(part, flag) === 'yes') return true
  return false
}

/** Whether some option is one of these long flags or could be short for one: `--upl` is `--upload-pack`. */
export function anyAbbreviation(part: CommandPart, ...flags: readonly string[]): boolean {
  return part.args.some(({ value }) => {
    if (value === null || !value.startsWith('--')) return false
    const equals = value.indexOf('=')
    const name = equals === -1 ? value : value.slice(0, equals)
    return name.startsWith('--') && name.length > 2 && flags.some((flag) => flag.startsWith(name))
  })
}

function hasOptions({ args }: CommandPart): boolean {
  for (const { value } of args) if (value !== null && value.charCodeAt(0) === DASH) return true
  return false
}

/** Whether some argument is exactly one of these. */
export function anyWord(part: CommandPart, words: ReadonlySet<string>): boolean {
  return part.args.some((word) => word.value !== null && words.has(word.value))
}

/** Whether some argument starts with one of these. */
export function anyPrefix(part: CommandPart, ...prefixes: readonly string[]): boolean {
  for (const { value } of part.args) {
    if (value === null) continue
    for (const prefix of prefixes) if (value.startsWith(prefix)) return true
  }
  return false
}

/** Whether an argument is unknown. */
export function hasUnknown(part: CommandPart): boolean {
  for (const { value } of part.args) if (value === null) return true
  return false
}

/**
 * Whether a command only shows what it would do. Not when a word is unknown, which could switch it off again, and not
 * for `--dry-run=none`.
 */
export function isDryRun(part: CommandPart, ...flags: readonly string[]): boolean {
  if (hasUnknown(part) || anyPrefix(part, '--no-dry')) return false
  return part.args.some(({ value }) => {
    if (value === null) return false
    if (flags.includes(value)) return true
    return value.startsWith('-') && /^--?dry-?run(?:=(?:client|server|true))?$/.test(value)
  })
}
