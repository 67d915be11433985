import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { matchesPattern } from '../../command/model/glob-pattern.ts'
import { isOwnCommand, LAUNCHERS } from '../../command/nested/countersign-command.ts'
import { isDeciding } from '../../command/programs/deciding-subcommands.ts'
import { PROGRAMS } from '../../knowledge/compiled/commands.ts'
import { isInside, type Places } from '../path/category.ts'
import { type GateTarget, gateTarget, isGateKeyName } from '../path/gate-words.ts'
import { matchesDots } from '../path/glob-matches.ts'
import type { LocatedPath, RiskCircumstances } from '../path/located-path.ts'
import { isPrivateProcessFile } from '../path/process-path.ts'
import { wordPattern } from '../path/word-pattern.ts'
import type { PathUse } from '../report/report.ts'

/** What the parts of a command have in common. */
export interface GateContext {
  readonly cwd: string
  readonly now: RiskCircumstances
  /** Wildcards match names that start with a dot. */
  readonly dots: boolean
  /** A part names the countersign command. */
  readonly namesOwn: boolean
}

/** Reads once what the whole command says about the gate. */
export function gateContext(parts: readonly CommandPart[], cwd: string, now: RiskCircumstances): GateContext {
  return {
    cwd,
    now,
    dots: matchesDots(parts),
    namesOwn: parts.some(({ path, args }) => isOwn(path) || args.some(({ value }) => isOwn(value))),
  }
}

function isOwn(word: string | null): boolean {
  return word !== null && isOwnCommand(word)
}

/**
 * The gate's folder as a written or read path, if a part may reach it: by a path, by a word that may expand there, in the
 * text of an argument, or by running a copy of the command. SECURITY: A3 and A2, only the program knows which of its
 * arguments it writes, and only the shell what a pattern names.
 */
export function gateMention(part: CommandPart, paths: readonly LocatedPath[], given: GateContext): PathUse | null {
  const { places } = given.now
  if (part.program === '' && part.redirections.length === 0) return null
  const isReader = part.program !== null && PROGRAMS.fileReaders.has(part.program)
  const expanded = readsGateProcess(paths, given) ? 'private' : expandedTarget(part, paths, given)
  if (isReader || part.program === '') {
    const writes = part.redirections.some(({ operator }) => !operator.startsWith('<'))
    if (expanded === 'policy' && !writes) return { ...gatePath(places, 'read'), real: `${places.gate}/policy.yaml` }
    return expanded === null ? null : gatePath(places, writes ? 'write' : 'read')
  }
  const reaches =
    expanded !== null ||
    isInGate(paths, places) ||
    namesGate(part, places) ||
    findsKeys(part, paths, places) ||
    drivesGate(part, given) ||
    runsCopy(part, paths, given)
  return reaches ? gatePath(places, 'write') : null
}

function gatePath({ gate }: Places, use: 'read' | 'write'): PathUse {
  return { given: gate, real: gate, use }
}

/** What the words of a part may expand to. Literal paths are located, and judged by where they are. */
function expandedTarget(
  part: CommandPart,
  paths: readonly LocatedPath[],
  { cwd, now, dots }: GateContext,
): GateTarget | null {
  let found: GateTarget | null = null
  const look = (word: Pick<CommandWord, 'text' | 'value' | 'glob'>): void => {
    const pattern = wordPattern(word, part, cwd, now.places)
    const target = pattern === null ? null : gateTarget(pattern, now.places, dots)
    if (target !== null && found !== 'private') found = target
  }
  for (const word of part.args) if (word.glob || word.value === null || part.cwd === null) look(word)
  for (const { target, text } of part.redirections)
    if (target === null && text !== undefined) look({ text, value: null, glob: false })
  for (const { given, glob, at, real, place } of paths) {
    if (glob || at === null) look({ text: given, value: at === null ? null : given, glob })
    // A path through `/proc` that was not resolved.
    else if (place === 'gate' && given.includes('/proc/') && !isInside(real ?? '/', now.places.gate))
      look({ text: at, value: at, glob: false })
  }
  return found
}

function isInGate(paths: readonly LocatedPath[], { gate }: Places): boolean {
  for (const { real, at } of paths) if (isInside(real ?? at ?? '/', gate)) return true
  return false
}

function namesGate({ args }: CommandPart, { gate, home }: Places): boolean {
  for (const { value, text } of args) {
    const word = value ?? text
    // Rules out most words by their length.
    if (word.length <= gate.length - home.length) continue
    if (word.includes(gate)) return true
    if (isInside(gate, home) && gate !== home && word.includes(`~${gate.slice(home.length)}`)) return true
  }
  return false
}

/** `gdb -p $(pgrep countersign)`, `pkill -f countersign`: reads, controls or ends the gate itself. */
function drivesGate({ program, args }: CommandPart, { namesOwn }: GateContext): boolean {
  if (!namesOwn || program === null || !PROGRAMS.processDrivers.has(program)) return false
  return args.some(({ value }) => value === null || isOwn(value))
}

/** `cat /proc/$(pgrep countersign)/environ`. */
function readsGateProcess(paths: readonly LocatedPath[], { namesOwn }: GateContext): boolean {
  return namesOwn && paths.some((path) => path.at === null && isPrivateProcessFile(path))
}

const FOUND = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fls|fprint0)$/

/** `find ~ -name '*.key' -exec …`: acts on the gate's keys among others. */
function findsKeys({ program, args }: CommandPart, paths: readonly LocatedPath[], { gate }: Places): boolean {
  if (program !== 'find' || !args.some(({ value }) => value !== null && FOUND.test(value))) return false
  if (!paths.some(({ at }) => at !== null && isInside(gate, at))) return false
  return args.some(({ value }, at) => {
    const pattern = args[at + 1]?.value ?? null
    return value !== null && /^-i?name$/.test(value) && pattern !== null && isNarrow(pattern) && isGateKeyName(pattern)
  })
}

/** `*` finds everything, and is judged by what is done to it. */
function isNarrow(pattern: string): boolean {
  return /[A-Za-z]{3}/.test(pattern)
}

/** A deciding command of a program that is, or may be, a copy of this one under another name. */
function runsCopy(part: CommandPart, paths: readonly LocatedPath[], { now, namesOwn }: GateContext): boolean {
  const linked = paths.some(({ use, real }) => use === 'execute' && isOwn(real))
  const found = part.path === null ? undefined : now.programs?.get(part.path)
  const isKnownCopy = linked || (found !== undefined && isOwn(found))
  const byPattern = part.program === null && isPatternOfOwn(part.text)
  const mayBeCopy =
    namesOwn && (part.program === null || part.path?.includes('/') === true || LAUNCHERS.has(part.program))
  if (!isKnownCopy && !byPattern && !mayBeCopy) return false
  const args = LAUNCHERS.has(part.program ?? '') ? part.args.slice(1) : part.args
  const own = { ...part, program: 'countersign', args }
  return isDeciding(own) && (isKnownCopy || byPattern || !isCommonVerb(args[0]?.value ?? ''))
}

/** Verbs of many other programs, too. */
function isCommonVerb(word: string): boolean {
  return /^(?:init|serve|stop|watch|chat)$/.test(word)
}

/** `/usr/bin/counter????`, in place of a program. */
function isPatternOfOwn(text: string): boolean {
  const [word = ''] = text.split(/\s/, 1)
  const name = word.slice(word.lastIndexOf('/') + 1)
  return /[*?[]/.test(name) && /[a-z]{2}/.test(name) && matchesPattern('countersign', name)
}
