import { CountersignError, parseDuration, safeText } from '@countersign/core'
import type { HoldOptions } from '@countersign/mcp'
import type { Command } from 'commander'

/** The flags that say how a proxy treats its client, of `countersign mcp` and of `wrap`, which writes them down. */
export interface ProxyFlags {
  readonly hold?: string
  readonly holdLimit?: string
  readonly denyMethod?: readonly string[]
  readonly elicit?: string
}

/** What they mean. */
export interface ProxyManner {
  readonly hold: HoldOptions
  readonly denied: readonly string[]
  readonly elicit: 'off' | 'show'
}

export function addProxyFlags(command: Command): Command {
  return command
    .option('--hold <mode>', '`block` (default) keeps the client waiting, `pending` answers in time and is asked again')
    .option(
      '--hold-limit <duration>',
      'keep the client waiting at most this long, such as 50s (default: by the client)',
    )
    .option('--deny-method <name>', 'a method, or a glob, that does not pass; may be given again', collect)
    .option('--elicit <mode>', '`show` has the client show its person where a call is held; decides nothing')
}

/** Reads them. CS_USAGE for one that says nothing known. */
export function readProxyFlags(flags: ProxyFlags): ProxyManner {
  return {
    hold: {
      mode: modeOf(flags.hold),
      ...(flags.holdLimit === undefined ? {} : { limitMs: limitOf(flags.holdLimit) }),
    },
    denied: flags.denyMethod ?? [],
    elicit: elicitOf(flags.elicit),
  }
}

/** The flags as words of a command line: those that were given, once they are known to be right. */
export function proxyWords(flags: ProxyFlags): readonly string[] {
  readProxyFlags(flags)
  return [
    ...(flags.hold === undefined ? [] : ['--hold', flags.hold]),
    ...(flags.holdLimit === undefined ? [] : ['--hold-limit', flags.holdLimit]),
    ...(flags.denyMethod ?? []).flatMap((name) => ['--deny-method', name]),
    ...(flags.elicit === undefined ? [] : ['--elicit', flags.elicit]),
  ]
}

/** For options that may be given again. */
export function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value]
}

function modeOf(text = 'block'): 'block' | 'pending' {
  if (text === 'block' || text === 'pending') return text
  throw new CountersignError('CS_USAGE', `\`--hold\` is block or pending; \`${safeText(text)}\` is neither`)
}

/** INVARIANT: L3, no client decides for a person: there is no `decide` (ADR 0031). */
function elicitOf(text = 'off'): 'off' | 'show' {
  if (text === 'off' || text === 'show') return text
  throw new CountersignError('CS_USAGE', `\`--elicit\` is off or show; \`${safeText(text)}\` is neither`)
}

function limitOf(text: string): number {
  const ms = parseDuration(text)
  if (ms !== null) return ms
  throw new CountersignError('CS_USAGE', `\`${safeText(text)}\` is no duration; write 50s, 5m or 2h`)
}
