import type { Kind } from '../../call/descriptor.ts'
import type { Json } from '../../call/json/json.ts'
import type { OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import type { Thresholds } from '../../risk/report/rating-input.ts'
import type { CheckSettings } from './builtin-checks.ts'
import type { RuleBounds } from './containment.ts'
import type { Supervision } from './supervision.ts'

/** A test on one argument. All given fields must match. */
export interface ValueTest {
  readonly equals?: Json
  readonly in?: readonly Json[]
  readonly glob?: string
  readonly regex?: string
  readonly above?: number
  readonly below?: number
}

/** A test on one path the call touches, after resolving. Folders may start with `${workspace}`, `${home}`, `${temp}`, `${gate}` or `~`. */
export interface PathTest {
  readonly inside?: readonly string[]
  readonly outside?: readonly string[]
  /** Relative globs are taken from the workspace, absolute ones from the root. */
  readonly glob?: readonly string[]
  readonly except?: readonly string[]
}

/** A test on one simple command. */
export interface CommandTest {
  readonly program?: readonly string[]
  readonly verb?: readonly string[]
  /** Any of these flags is present, bundled or with a value. */
  readonly flags?: readonly string[]
  /** A command of the same shape: same first operand and options, and nothing that leads elsewhere. */
  readonly like?: string
  /** It runs in one of these folders. */
  readonly in?: readonly string[]
}

export interface UrlTest {
  readonly scheme?: readonly string[]
  readonly host?: readonly string[]
  readonly method?: readonly string[]
}

/** A test on the hosts that a call or one command of it contacts. */
export interface NetworkTest {
  /** `example.com`, `*.example.com`, an address; with a port for others than 80 and 443. */
  readonly host: readonly string[]
}

export interface HoursTest {
  /** `08:00-20:00`; may wrap around midnight. */
  readonly inside?: string
  readonly outside?: string
  readonly zone?: string
  readonly days?: readonly string[]
}

/** Conditions. All given fields must match. */
export interface Conditions {
  readonly tool?: readonly string[]
  readonly kind?: readonly Kind[]
  readonly server?: readonly string[]
  readonly agent?: readonly string[]
  readonly args?: { readonly [dottedName: string]: ValueTest }
  readonly path?: PathTest
  readonly command?: CommandTest
  readonly url?: UrlTest
  readonly network?: NetworkTest
  readonly risk?: { readonly at_least?: RiskLevel; readonly at_most?: RiskLevel }
  readonly annotations?: { readonly [hint: string]: boolean }
  readonly hours?: HoursTest
  readonly any?: readonly Conditions[]
  readonly all?: readonly Conditions[]
  readonly not?: Conditions
}

export type Layer = 'managed' | 'user' | 'project' | 'preset' | 'builtin'

/** One rule as loaded: short forms expanded, defaults filled in, and floors set for layers that can only tighten. */
export interface Rule {
  readonly id: string
  readonly layer: Layer
  readonly file: string
  readonly line: number
  readonly when: Conditions
  readonly unless: Conditions | null
  readonly supervision: Supervision
  readonly floor: boolean
  /** Highest risk for which `automatic` or `notify` applies. */
  readonly upTo: RiskLevel
  /** The risk that it states for what it matches; absent: none. */
  readonly raisesTo?: RiskLevel
  readonly checks: readonly string[]
  /** Options of its checks; absent if there are none. */
  readonly settings?: CheckSettings
  readonly timeoutMs: number | null
  readonly reason: string | null
  /** The bounds of the sandbox for commands it lets run; false: outside, for rules of the user's own layer. */
  readonly contain?: RuleBounds | false
}

/** A preset's answers where no rule applies. */
export interface PresetRow {
  readonly preset: string
  readonly byRisk: { readonly [level in RiskLevel]: Supervision }
  readonly undescribed: Supervision
  /** Which commands may run unasked inside the sandbox: those judged harmless, only those proven to read, or it is not used. */
  readonly contained: 'any' | 'proven' | 'never'
  /** What a host that nobody named requires. Absent: `confirm`. */
  readonly contact?: Supervision
  /** The preset `classic` ignores `requiresConfirmation` and the source of a tool. */
  readonly ignoresDeclarations: boolean
  /** Checks of every call that changes files, whatever rule decides; absent: none. */
  readonly checks?: PresetChecks
}

/** Checks that a preset runs on every call that writes, deletes or moves a file. */
export interface PresetChecks {
  readonly changes: readonly string[]
  /** What they find is recorded and shown, and never raises supervision. */
  readonly advisory: boolean
}

export interface Limit {
  readonly name: 'calls' | 'files' | 'lines'
  readonly most: number
  /** Length of the time span; null for the whole session. */
  readonly windowMs: number | null
  readonly layer: Layer
  readonly file: string
  readonly line: number
}

/** A checker that is a program, as a policy file defines it. */
export interface CheckerProgram {
  readonly name: string
  readonly run: readonly [string, ...string[]]
  readonly timeoutMs: number | null
  readonly file: string
  readonly line: number
  /** False for an untrusted project: the program is never run. */
  readonly trusted: boolean
}

/** How long copies made before a change are kept. */
export interface BackupRetention {
  readonly keepMs: number
  readonly mostBytes: number
}

/** The highest risk that a coding agent's own prompt may answer. */
export type AgentPrompts = (typeof AGENT_PROMPTS)[number]

/** From the strictest on. */
export const AGENT_PROMPTS = ['none', 'low', 'medium'] as const

/** All policy layers, loaded and merged but not compiled. Plain data, also read by the reference model. */
export interface PolicySet {
  readonly rules: readonly Rule[]
  readonly row: PresetRow
  readonly limits: readonly Limit[]
  /** Deadline unless a rule sets one. */
  readonly timeoutMs: number
  /** Checkers that policy files define. */
  readonly programs?: readonly CheckerProgram[]
  /** Absent: the default. */
  readonly backups?: BackupRetention
  /** The risk from which only a passkey can approve; absent: any enrolled key can. */
  readonly passkeyFrom?: RiskLevel
  /** The highest risk that a coding agent's own prompt may answer; absent: medium. */
  readonly agentPrompts?: AgentPrompts
  /** Absent: the defaults. */
  readonly rating?: Rating
  /** Hosts that may be read from unasked; absent: none. */
  readonly network?: NamedHosts
  /** SHA-256 over every file's layer, name, trust and text, and the preset's. */
  readonly hash: string
}

/** The hosts that `network:` of the policy files names, as patterns. */
export interface NamedHosts {
  readonly named: readonly string[]
  /** Of managed files, one list each: a host must be in all of them too. */
  readonly within: readonly (readonly string[])[]
}

/** Settings of the risk rating. */
export interface Rating {
  readonly thresholds: Thresholds
  /** Exact names of servers whose read-only hint is believed for tools without a description. */
  readonly trustedServers: ReadonlySet<string>
  /** Folders whose workspaces work on production, one list for each `context`; null for all workspaces. Absent: none. */
  readonly production?: readonly (readonly string[] | null)[]
  /** The rows of `knowledge` folders; absent: none. */
  readonly knowledge?: OwnKnowledge
}

/** A policy file to load: a person's, a project's, an organization's, or a built-in one. */
export interface PolicySource {
  readonly layer: Layer
  readonly name: string
  readonly text: string
}
