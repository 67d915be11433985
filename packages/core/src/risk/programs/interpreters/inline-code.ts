import type { CodeEffect } from '../../../command/code/find-effects.ts'
import { codeEffects } from '../../../command/code/find-effects.ts'
import type { InlineCode } from '../../../command/code/inline-code.ts'
import type { RunCommand } from '../../../command/code/spawned-command.ts'
import { rowList } from '../../../knowledge/programs.ts'
import { namesSecret } from '../../arguments/secret-variables.ts'
import { isPublicHalf } from '../../path/category.ts'
import { rateSql } from '../../query/sql/rate-sql.ts'
import { finding, type RiskFinding } from '../../report/finding.ts'
import { riskRank } from '../../report/level.ts'
import type { PartFacts } from '../assessor/assessor.ts'

/** Longer code is not judged by its calls alone. */
const MAX_LENGTH = 12_000

function startedBy(run: RunCommand): string {
  const first =
    run.kind === 'words' ? (run.words[0] ?? '') : (/^\s*([^\s;|&<>$`(]{1,64})(?=[\s;|&]|$)/.exec(run.text)?.[1] ?? '')
  return first.slice(first.lastIndexOf('/') + 1)
}

/**
 * Rates inline code by what its calls do. Paths that are plain to see are rated with the other paths, commands as parts
 * of their own; here is the rest.
 */
export function rateCode(code: InlineCode, facts: PartFacts): RiskFinding {
  const { program } = facts
  if (!code.known && /^\$[\w{(]|^`/.test(code.text.trim()))
    return finding('high', 'code.unknown', `${program} runs unknown code`, 'unknown')
  if (code.text.length > MAX_LENGTH)
    return finding('high', 'code.long', `${program} runs inline code that is too long to analyze`, 'unknown')
  // Code that is understood whole is rated by its acts, which are parts of the command.
  if (facts.part.inside?.alone === true) return finding('low', 'code.inline', `${program} runs a short piece of code`)
  const acts = codeEffects(code.text, code.language)
  let worst = code.known
    ? finding('low', 'code.inline', `${program} runs a short piece of code`)
    : finding('medium', 'code.partly', `${program} runs code that is partly unknown`, 'unknown')
  for (const one of [flowOf(acts, code.text, facts), ...acts.map((act) => rateAct(act, facts))]) {
    if (one !== null && riskRank(one.level) > riskRank(worst.level)) worst = one
  }
  return worst
}

function rateAct(act: CodeEffect, facts: PartFacts): RiskFinding | null {
  const { program } = facts
  const unknown = act.paths.includes(null)
  switch (act.kind) {
    case 'run':
      if (act.run === null) return finding('high', 'code.run', `${program} starts an unknown program`, 'unknown')
      return rowList('python', 'expected_programs').has(startedBy(act.run))
        ? null
        : finding('high', 'code.run', `${program} starts another program`, 'unknown')
    case 'delete':
      return unknown ? finding('high', 'code.delete', `${program} deletes unknown files`, 'no') : null
    case 'delete-all':
      return rateDeleteAll(act, facts)
    case 'write':
    case 'copy':
      return unknown ? finding('medium', 'code.write', `${program} writes unknown files`) : null
    case 'move':
      return unknown ? finding('medium', 'code.move', `${program} moves unknown files`) : null
    case 'fetch':
      return finding('medium', 'code.fetch', `${program} fetches from the network`, 'yes')
    case 'send':
      return finding('medium', 'code.send', `${program} sends data to a server`)
    case 'connect':
      return finding('high', 'code.connect', `${program} opens a connection or listens on the network`)
    case 'eval':
      return finding('high', 'code.eval', `${program} runs text as code, or loads unknown code`, 'unknown')
    case 'reach':
      return finding(
        'medium',
        'code.reach',
        `${program} may call a function that starts programs or deletes files`,
        'unknown',
      )
    case 'environment':
      return finding('medium', 'code.environment', 'reads the whole environment, which often contains secrets', 'no')
    case 'query':
      return act.sql === undefined ? null : rateSql(act.sql)
    case 'read':
    case 'open':
      return null
  }
}

function rateDeleteAll(act: CodeEffect, { program, paths }: PartFacts): RiskFinding | null {
  const [given] = act.paths
  if (given == null) return finding('high', 'code.delete', `${program} deletes unknown folders`, 'no')
  const place = paths.find((path) => path.use === 'delete' && path.given === given)?.place
  if (place === 'regenerable' || place === 'temp') return null
  return finding('high', 'files.delete-recursive', `${program} deletes \`${given}\` with everything in it`, 'no', {
    reach: 'all',
    target: given,
  })
}

const ONE_VARIABLE =
  /(?:environ|getenv|process\.env|\bENV|_ENV)(?:\.(?:get|fetch))?\s{0,4}[[({.]\s{0,4}["']?([A-Za-z_]\w{1,63})/g
/** How a service is told who asks, which is what such variables are for. */
const AUTHENTICATES = /authorization|bearer|api[-_]?key|private-token|\bauth\s{0,4}[=:]|access_token/i

/** Whether code takes a secret out of the environment, other than to say who asks. */
function sendsVariable(text: string): boolean {
  if (AUTHENTICATES.test(text)) return false
  for (const [, name] of text.matchAll(ONE_VARIABLE)) if (name !== undefined && namesSecret(name)) return true
  return false
}

/** What comes from the network and is run, or is secret and goes there. */
function flowOf(acts: readonly CodeEffect[], text: string, { program, paths }: PartFacts): RiskFinding | null {
  const does = (...kinds: readonly CodeEffect['kind'][]) => acts.some(({ kind }) => kinds.includes(kind))
  const loads = acts.some(({ kind, paths: from }) => kind === 'eval' && /^(?:https?|ftp):/i.test(from[0] ?? ''))
  if (loads || (does('fetch', 'send') && does('eval')))
    return finding('critical', 'flow.download-run', `${program} runs code downloaded from the network`)
  const secret = paths.some(
    ({ use, place, at }) => use === 'read' && place === 'credentials' && at !== null && !isPublicHalf(at),
  )
  if (does('send', 'fetch', 'connect') && (secret || does('environment') || sendsVariable(text)))
    return finding('critical', 'flow.exfiltration', `${program} may send secrets to the network`)
  const shell = acts.some(({ run }) => run?.kind === 'shell' && /\bsh\b/.test(run.text))
  if (does('connect') && shell)
    return finding('critical', 'network.remote-shell', `${program} gives remote access to a shell`)
  return null
}
