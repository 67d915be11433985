import { CountersignError, parseDuration, safeText } from '@countersign/core'
import type { HoldOptions } from '@countersign/mcp'
import type { Command } from 'commander'

/** The flags of `countersign mcp` about its client; `wrap` writes them into configurations. */
export interface ProxyFlags {
  readonly hold?: string
  readonly holdLimit?: string
  readonly denyMethod?: readonly string[]
  readonly elicit?: string
}

/** The parsed flags. */
export interface ProxySettings {
  readonly hold: HoldOptions
  readonly denied: readonly string[]
  readonly elicit: 'off' | 'show'
}

export function addProxyFlags(command: Command): Command {
  return command
    .option(
      '--hold <mode>',
      '`block` (default) keeps the client waiting; `pending` answers in time, and the client asks again',
    )
    .option(
      '--hold-limit <duration>',
      'keep the client waiting at most this long, such as 50s (default: depends on the client)',
    )
    .option('--deny-method <name>', 'refuse this method (name or glob); repeatable', collect)
    .option('--elicit <mode>', '`show`: the client shows its user where a call is held (it decides nothing)')
}

/** Parses the flags. CS_USAGE for an unknown value. */
export function readProxyFlags(flags: ProxyFlags): ProxySettings {
  return {
    hold: {
      mode: modeOf(flags.hold),
      ...(flags.holdLimit === undefined ? {} : { limitMs: limitOf(flags.holdLimit) }),
    },
    denied: flags.denyMethod ?? [],
    elicit: elicitOf(flags.elicit),
  }
}

/** The given flags as words of a command line, after checking them. */
export function proxyWords(flags: ProxyFlags): readonly string[] {
  readProxyFlags(flags)
  return [
    ...(flags.hold === undefined ? [] : ['--hold', flags.hold]),
    ...(flags.holdLimit === undefined ? [] : ['--hold-limit', flags.holdLimit]),
    ...(flags.denyMethod ?? []).flatMap((name) => ['--deny-method', name]),
    ...(flags.elicit === undefined ? [] : ['--elicit', flags.elicit]),
  ]
}

/** For repeatable options. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function modeOf(text = 'block'): 'block' | 'pending' {
  if (text === 'block' || text === 'pending') return text
  throw new CountersignError('CS_USAGE', `\`--hold\` must be block or pending; not \`${safeText(text)}\``)
}

/** INVARIANT: L3, no client decides for a person, so there is no `decide` mode (ADR 0031). */
function elicitOf(text = 'off'): 'off' | 'show' {
  if (text === 'off' || text === 'show') return text
  throw new CountersignError('CS_USAGE', `\`--elicit\` must be off or show; not \`${safeText(text)}\``)
}

function limitOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null) return ms
  throw new CountersignError(
    'CS_USAGE',
    `\`--hold-limit\` must be a duration such as 50s, 5m or 2h; not \`${safeText(text)}\``,
  )
}
