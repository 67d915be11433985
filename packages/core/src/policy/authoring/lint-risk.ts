import type { Kind } from '../../call/descriptor.ts'
import type { JsonObject } from '../../call/json/json.ts'
import type { ToolRef } from '../../call/tool.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { Crypto } from '../../ports/crypto.ts'
import { assessCall } from '../../risk/assess-call.ts'
import { highestRisk, type RiskLevel, riskRank } from '../../risk/report/level.ts'
import { compileNames } from '../match/names.ts'
import { type PolicyProblem, quote } from '../model/policy-problem.ts'
import type { Conditions, Rule } from '../model/rule.ts'
import { TEST_PLACES } from './test-places.ts'

/** What is tried with any tool. */
const USUAL: readonly JsonObject[] = [
  {},
  { path: 'src/a.ts' },
  { command: 'pwd' },
  { url: 'https://example.com' },
  { environment: 'production' },
]

const GRAVE_OF: Partial<Record<Kind, readonly JsonObject[]>> = {
  read: [{ path: '~/.ssh/id_rsa' }],
  write: [
    { path: '/etc/passwd', content: 'x' },
    { path: '~/.ssh/authorized_keys', content: 'x' },
  ],
  delete: [{ path: '/' }],
  move: [{ source: '/etc/passwd', destination: '/etc/shadow' }],
  execute: [{ command: 'rm -rf /' }],
  query: [{ sql: 'DROP DATABASE prod' }],
  fetch: [{ url: 'http://169.254.169.254/', method: 'DELETE' }],
  send: [{ to: 'all@example.com', text: `key ${'-----BEGIN RSA PRIVATE KEY-----'}` }],
}

/** What is added to a command to try how much it can do. */
const GRAVE_WORDS = ['', '--force --all', '-rf /', '~/.ssh/id_rsa', 'production', 'https://example.com']

/**
 * A `risk:` condition that no call meets of the tools or commands that the rule names exactly: authors often mean `raises_to`.
 * Levels that other rules of the policy state count as well.
 */
export function lintRisk(
  rule: Rule,
  rules: readonly Rule[],
  crypto: Pick<Crypto, 'sha256'>,
  knowledge?: OwnKnowledge,
): readonly PolicyProblem[] {
  const { risk, any, all, not } = rule.when
  if (risk === undefined || any !== undefined || all !== undefined || not !== undefined) return []
  const named = namedCalls(rule.when, (call) => assessCall(call, TEST_PLACES, crypto, knowledge))
  if (named === null || named.levels.some((tried) => tried.length === 0)) return []
  const stated = rules.flatMap(({ raisesTo, when }) =>
    raisesTo !== undefined && mayMeet(when, rule.when) ? raisesTo : [],
  )
  const tried = named.levels.flat()
  const most = highestRisk([...tried, ...stated])
  const least = tried.reduce((a, b) => (riskRank(b) < riskRank(a) ? b : a), 'critical')
  const { at_least = 'none', at_most = 'critical' } = risk
  const message =
    riskRank(most) < riskRank(at_least)
      ? `${quote(rule.id)} hardly applies: ${named.names} is at most ${most} in every call that lint tried; \`raises_to: ${at_least}\` rates it ${at_least}`
      : riskRank(least) > riskRank(at_most)
        ? `${quote(rule.id)} hardly applies: ${named.names} is at least ${least} in every call that lint tried`
        : null
  return message === null ? [] : [{ file: rule.file, line: rule.line, column: 1, message }]
}

const COMMAND_TOOLS = ['exec', 'execute_command', 'Bash']

/** Whether a rule that states a risk may match calls of the other one, going by their tools. */
function mayMeet({ tool: raising }: Conditions, { tool = COMMAND_TOOLS }: Conditions): boolean {
  return raising === undefined || tool.some(compileNames(raising))
}

type Rate = (call: { readonly tool: string | ToolRef; readonly args: JsonObject }) => ReturnType<typeof assessCall>

/** The tools or commands that a rule names exactly, with the levels of some of their calls; null if it names none. */
function namedCalls(
  { tool: tools = [], command }: Conditions,
  rate: Rate,
): { readonly names: string; readonly levels: readonly (readonly RiskLevel[])[] } | null {
  const quoted = (names: readonly string[]): string => names.map((name) => quote(name)).join(', ')
  if (tools.some((tool) => tool.includes('*'))) return null
  if (command === undefined)
    return tools.length === 0 ? null : { names: quoted(tools), levels: tools.map((tool) => levelsOf(tool, rate)) }
  const { program: programs = [], verb: verbs = [''], flags = [] } = command
  const lines = programs.flatMap((program) => verbs.map((verb) => [program, verb, ...flags].filter(Boolean).join(' ')))
  if (lines.length === 0 || lines.some((line) => line.includes('*'))) return null
  return { names: quoted(lines), levels: lines.map((line) => commandLevels(line, rate)) }
}

/** The levels of the command alone and with more words. */
function commandLevels(line: string, rate: Rate): readonly RiskLevel[] {
  return GRAVE_WORDS.map(
    (words) => rate({ tool: 'execute_command', args: { command: `${line} ${words}`.trim() } }).risk.level,
  )
}

/** Empty for a tool whose name tells nothing. */
function levelsOf(label: string, rateCall: Rate): readonly RiskLevel[] {
  const slash = label.indexOf('/')
  const tool: string | ToolRef = slash < 0 ? label : { server: label.slice(0, slash), name: label.slice(slash + 1) }
  const rate = (args: JsonObject) => rateCall({ tool, args })
  const { call, risk } = rate({})
  if (risk.reasons.some(({ rule }) => rule === 'tool.undescribed')) return []
  const { kind, source } = call.descriptor
  // Not everything that is written goes into a file.
  const isOwnKind = kind !== 'write' || source === 'known' || /file/i.test(label)
  return [...USUAL, ...(isOwnKind ? (GRAVE_OF[kind] ?? []) : [])].map((args) => rate(args).risk.level)
}
