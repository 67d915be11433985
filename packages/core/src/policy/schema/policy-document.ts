import * as z from 'zod'
import { named, notEmpty } from '../../knowledge/strict-object.ts'
import { RISK_LEVELS } from '../../risk/report/level.ts'
import { BUILTIN_CHECKS } from '../model/builtin-checks.ts'
import { AGENT_PROMPTS } from '../model/rule.ts'
import { SUPERVISIONS } from '../model/supervision.ts'
import { PRESET_NAMES } from '../presets/preset-name.ts'
import { checkers, checks } from './checks.ts'
import { conditionShape, conditions } from './conditions.ts'
import { context, servers, thresholds } from './risk-rating.ts'
import * as text from './scalars.ts'
import { policyTest } from './test-case.ts'

/**
 * The schema of the policy language. The loader validates files with it, and the JSON Schema for editors is generated from it.
 * Its output has short spellings expanded.
 */

const supervision = z.enum(SUPERVISIONS)

const bounds = named(
  '`contain`',
  {
    write: text.oneOrMore(text.folder).describe('More folders the command may write.').exactOptional(),
    read: text.oneOrMore(text.folder).describe('More folders the command may read.').exactOptional(),
    network: text.oneOrMore(text.host).describe('Hosts the command may reach.').exactOptional(),
    credentials: text
      .oneOrMore(text.credential)
      .describe('Credentials the command may use, by name: git, npm, ssh and others.')
      .exactOptional(),
  },
  '{ write: [${temp}], network: [registry.npmjs.org] }',
)

/** One rule. All given conditions must match. */
export const rule = named('a rule', {
  id: text.ruleId.describe('Name of the rule, shown wherever it decides. Unique in the file.').exactOptional(),
  ...conditionShape,
  unless: conditions.describe('Conditions under which the rule does not apply.').exactOptional(),
  supervision: supervision
    .describe(
      'automatic runs · notify runs and shows a notice · confirm asks a person · manual also needs a code and a reason · deny never runs.',
    )
    .exactOptional(),
  raises_to: z
    .enum(RISK_LEVELS.filter((one) => one !== 'none'))
    .describe('Minimum risk of calls that match. Never lowers a risk. With it, `supervision` is optional.')
    .exactOptional(),
  floor: z.boolean().describe('Require at least this supervision, whatever other rules allow.').exactOptional(),
  up_to: z
    .enum(RISK_LEVELS)
    .describe('Highest risk for which automatic or notify applies; above it the preset decides. Default medium.')
    .exactOptional(),
  checks: checks
    .describe('Safety checks that run before anyone is asked: names, or a name with options.')
    .exactOptional(),
  contain: z
    .union([z.literal(false), bounds])
    .describe('What commands of this rule may also do in the sandbox. `false` runs them outside the sandbox.')
    .exactOptional(),
  timeout: text.timeout.describe('How long a held call waits for a person: 30s, 5m, 2h. Default 5m.').exactOptional(),
  reason: text.sentence.describe('Shown to the person and to the agent.').exactOptional(),
}).check((context) => {
  const { value } = context
  const refuse = (message: string, key?: string): void =>
    void context.issues.push({ code: 'custom', message, input: value, ...(key === undefined ? {} : { path: [key] }) })
  if (context.issues.length > 0) return
  const loose = value.supervision === 'automatic' || value.supervision === 'notify'
  if (!Object.keys(conditionShape).some((key) => Object.hasOwn(value, key)))
    refuse('a rule needs a condition; write `tool: "*"` to match every call')
  if (value.supervision === undefined && value.raises_to === undefined)
    refuse('`supervision` is missing; write it, or `raises_to` to rate a risk')
  if (value.supervision === undefined && (value.floor !== undefined || value.contain !== undefined))
    refuse('`floor` and `contain` need `supervision`; add it or remove them')
  if (value.up_to !== undefined && (!loose || value.floor === true))
    refuse('`up_to` applies only to automatic or notify without `floor`; remove it', 'up_to')
  if (value.floor === true && value.supervision === 'automatic')
    refuse('a floor of automatic has no effect; remove `floor` or set a stricter supervision', 'floor')
})

const backups = named(
  '`backups`',
  {
    keep: text.age.describe('A copy older than this is deleted: 12h, 7d. Default 7d.').exactOptional(),
    most: text.bytes.describe('Maximum size of all copies; the oldest are deleted first. Default 1GB.').exactOptional(),
  },
  '{ keep: 7d, most: 1GB }',
).check(notEmpty('`backups` is empty; write keep or most'))

const defaults = named(
  '`defaults`',
  {
    timeout: text.timeout.describe('How long a held call waits unless a rule sets it: 30s, 5m, 2h.').exactOptional(),
    backups: backups.describe('How long copies made before a change are kept.').exactOptional(),
    passkey: z
      .enum(RISK_LEVELS)
      .describe('The risk from which only a passkey can approve. Only in the user’s or a managed file.')
      .exactOptional(),
    agent_prompts: z
      .enum(AGENT_PROMPTS)
      .describe(
        'The highest risk that a coding agent’s own prompt may answer, where `countersign init --ask host` allowed it. Default medium.',
      )
      .exactOptional(),
  },
  '{ timeout: 5m }',
).check(notEmpty('`defaults` is empty; write timeout, backups, passkey or agent_prompts, or remove it'))

const limitList = text.oneOrMore(text.limit)

const limits = named(
  '`limits`',
  {
    calls: limitList.describe('Calls, such as 200/h.').exactOptional(),
    files: limitList.describe('Files written or deleted, such as 50/session.').exactOptional(),
    lines: limitList.describe('Lines written, such as 2000/session.').exactOptional(),
  },
  '{ calls: 200/h }',
).check(notEmpty('`limits` is empty; write calls, files or lines'))

const tools = z
  .record(text.nameGlob, supervision)
  .refine((map) => Object.keys(map).length > 0, { error: '`tools` is empty; name a tool or remove it' })

const common = {
  version: z.literal(1).describe('Version of the policy language.'),
  defaults: defaults.describe('Defaults for what rules don’t set.').exactOptional(),
  rules: z
    .array(rule.describe('One rule. All given conditions must match.'))
    .min(1)
    .describe('Rules. Their order never matters.')
    .exactOptional(),
  tools: tools.describe('Short form: one supervision per tool.').exactOptional(),
  auto_approve: z
    .array(text.nameGlob)
    .min(1)
    .describe('Short form: tools that run without approval, up to medium risk.')
    .exactOptional(),
  never_allow: z
    .array(text.nameGlob)
    .min(1)
    .describe('Short form: tools that never run, on any server.')
    .exactOptional(),
  limits: limits.describe('Above a limit, calls need a person.').exactOptional(),
  tests: z.array(policyTest).min(1).describe('Test cases for `countersign policy test`.').exactOptional(),
}

/** A policy file of a person, a project or an organization. */
export const policyFile = named('the file', {
  ...common,
  preset: z.enum(PRESET_NAMES).describe('The default policy. Only in the user’s or a managed file.').exactOptional(),
  network: text
    .oneOrMore(text.networkEntry)
    .describe(
      'Hosts that may be read from without approval, without sending data or credentials: hosts, or the sets packages, documentation and code-hosts.',
    )
    .exactOptional(),
  context: context
    .describe('Where the agent works: `{ environment: production }` raises the risk of changes.')
    .exactOptional(),
  thresholds: thresholds.describe('When a call counts as large. Only in the user’s or a managed file.').exactOptional(),
  servers: servers
    .describe('Trust in MCP servers, by exact name. Only in the user’s or a managed file.')
    .exactOptional(),
  checkers: checkers
    .describe('Programs that check calls, by the name rules use. A project’s programs run only once it is trusted.')
    .exactOptional(),
})

const row = named('`rows`', {
  none: supervision,
  low: supervision,
  medium: supervision,
  high: supervision,
  critical: supervision,
  undescribed: supervision,
  contained: z.enum(['any', 'proven', 'never']),
  contact: supervision,
  ignores_declarations: z.boolean(),
})

const presetChecks = named('`checks`', { changes: z.array(z.enum(BUILTIN_CHECKS)).min(1), advisory: z.boolean() })

/** A preset: the same language, plus the table of answers by risk, and the checks of every call that changes files. */
export const presetFile = named('the preset', {
  ...common,
  rows: row.exactOptional(),
  checks: presetChecks.exactOptional(),
})

export type PolicyDocument = z.output<typeof policyFile> & Partial<Pick<z.output<typeof presetFile>, 'rows' | 'checks'>>
export type RuleDocument = z.output<typeof rule>

/** Planned keys, refused until they are enforced. */
export const LATER_KEYS: ReadonlySet<string> = new Set(
  'approvers approver quorum roles role escalate escalation channels plans'.split(' '),
)
