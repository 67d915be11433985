import {
  askService,
  type Explanation,
  type Feedback,
  type GivenGrant,
  type GrantScope,
  type JournalEntry,
  type Json,
  type JsonObject,
  type PastCall,
  type Preview,
  type QuarantineView,
  type RuleFeedback,
  type RulesEdit,
  type RulesProposal,
  type UnseenFilePreview,
  type VerifiedJournal,
  type WaitingDefinition,
  type WouldMatch,
} from '@countersign/react'
import type { HourRow } from '../charts/statistics.ts'
import type { GatedAgent } from './gated-agent.ts'

/** The signed-in person, and the approvers. */
export interface Me {
  readonly name?: string
  readonly tier?: string
  readonly version?: string
  readonly approvers: readonly {
    readonly id: string
    readonly name: string
    readonly kind: string
    readonly passkey?: { readonly credential: string; readonly site: string }
  }[]
  readonly preset?: string
  readonly policyProblems?: readonly string[]
}

/** A tool that agents have called. */
export interface SeenTool {
  readonly tool: string
  readonly server: string | null
  readonly name: string
  readonly definition: string
  readonly otherDefinitions: readonly string[]
  readonly kind: string
  readonly lastAt: number
  readonly lastCall: string | null
  /** Its held call with the strictest supervision, which has the full definition. */
  readonly heldCall: string | null
  readonly calls: number
  readonly approved: number
  readonly rejected: number
  readonly expired: number
  /** The verdict of its last call, by a rule or a grant. */
  readonly supervision: string
  /** The strictest verdict of its recent calls. */
  readonly strictest: string
  readonly rule: unknown
  readonly grant: string | null
  readonly risk: string
}

/** The verdict of the current policy on an earlier call. */
export interface CurrentVerdict {
  readonly supervision: string
  readonly rule: unknown
  readonly grant: string | null
  readonly risk: string
}

/** The terminal command to accept a tool without a browser key, if there is one. */
interface WithCommand {
  readonly command: string | null
}

/** An MCP tool in quarantine. */
export type QuarantinedTool = WaitingDefinition & WithCommand

/** All tools in quarantine. */
export interface Quarantined extends Omit<QuarantineView, 'waiting' | 'left'> {
  readonly waiting: readonly QuarantinedTool[]
  readonly left: readonly (QuarantineView['left'][number] & WithCommand)[]
}

/** Who accepted a tool, and when. */
export interface Accepted {
  readonly by: string
  readonly at: number
}

/** A grant, and the call it was given for, from the journal. */
export interface ListedGrant extends GivenGrant {
  readonly from: { readonly tool: string; readonly summary: string; readonly args: JsonObject | null } | null
}

/** A range of journal entries. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[]
  readonly size: number
}

/** A past call with its journal entries. */
export interface PastDetails {
  readonly call: PastCall
  /** The first and last entries, if there are many. */
  readonly entries: readonly JournalEntry[]
  readonly more: number
}

/** A file with content that nobody has seen. */
export interface ChangedFile {
  readonly path: string
  readonly kind: string
  readonly content: string
  readonly agent: string
  readonly call: string
  readonly backup: string | null
}

/** Unseen changes of one workspace. */
export interface ChangedWorkspace {
  readonly workspace: string
  readonly everything: string | null
  readonly files: readonly ChangedFile[]
  readonly more: number
}

/** What undoing calls would bring back. */
export interface PlannedUndo {
  readonly calls: readonly string[]
  readonly plan: string
  readonly steps: readonly {
    readonly path: string
    readonly name: string
    readonly does: 'change' | 'bring-back' | 'remove'
    readonly since: 'same' | 'changed' | 'unknown'
  }[]
  readonly more: number
  readonly left: readonly string[]
  readonly preview: Extract<Preview, { kind: 'own' }>
}

/** A signed change of the policy. */
export interface RuleChange {
  readonly seq: number
  readonly act: string
  readonly what: string
  readonly undoes: number | null
  readonly approver: string
  /** The approver's name; null if the key was removed. */
  readonly by: string | null
  readonly at: number
}

/** Rules that people set, and the changes that made them. */
export interface RuleList {
  readonly paused: string | null
  readonly rules: readonly JsonObject[]
  readonly changes: readonly RuleChange[]
}

/** Statistics of decisions. */
export interface Stats {
  readonly hours: readonly HourRow[]
  readonly times: readonly number[]
  readonly tools: readonly {
    readonly tool: string
    readonly held: number
    readonly rejected: number
    readonly expired: number
    readonly medianMs: number | null
  }[]
  readonly rules: readonly RuleFeedback[]
}

/** A browser that is notified by Web Push. */
export interface SubscribedBrowser {
  readonly id: string
  readonly name: string
  /** Host of its push service. */
  readonly service: string
  readonly at: number
}

/** Who is notified of held calls. */
export interface Notifications {
  readonly browsers: readonly SubscribedBrowser[]
  readonly channels: readonly { readonly name: string; readonly kind: string; readonly target: string }[]
  readonly problems: readonly string[]
}

/** Filters for past calls; empty ones are ignored. */
export type HistoryFilter = Readonly<
  Partial<Record<'call' | 'tool' | 'outcome' | 'agent' | 'risk' | 'approver' | 'since' | 'before' | 'limit', string>>
>

/** The routes of the service. Decisions go through the `ApprovalSource`. */
export const service = {
  me: () => askService<Me>('/me', { isBounded: true }),
  signIn: (ticket: string) => send<unknown>('POST', '/sign-in', { ticket }),
  signOut: () => send<unknown>('DELETE', '/sign-in'),
  enrol: (name: string, publicKey: string, code: string) =>
    send<unknown>('POST', '/approvers', { name, publicKey, code }),
  passkeyOptions: () => send<PublicKeyCredentialCreationOptionsJSON>('POST', '/passkeys/options'),
  enrolPasskey: (name: string, code: string, response: unknown) =>
    send<{ readonly approver: { readonly id: string } }>('POST', '/passkeys', { name, code, response }),
  similar: (id: string) => get<{ readonly calls: readonly PastCall[] }>(`/held/${encodeURIComponent(id)}/similar`),
  definition: async (id: string) =>
    (await get<{ readonly definition: Json | null }>(`/held/${encodeURIComponent(id)}/definition`)).definition,
  stats: () => get<Stats>('/stats'),
  history: (query: HistoryFilter) => get<{ readonly calls: readonly PastCall[] }>(`/history${searchOf(query)}`),
  historyLines: (query: HistoryFilter) => askService<string>(`/history.jsonl${searchOf(query)}`, { as: 'text' }),
  pastCall: (id: string) => get<PastDetails>(`/history/${encodeURIComponent(id)}`),
  currentVerdict: async (id: string) =>
    (await get<{ readonly now: CurrentVerdict | null }>(`/history/${encodeURIComponent(id)}/now`)).now,
  feedback: (id: string, answer: Feedback) =>
    send<unknown>('POST', `/history/${encodeURIComponent(id)}/feedback`, { answer }),
  seen: () => get<Readonly<Record<'tools' | 'agents' | 'approvers', readonly string[]>>>('/seen'),
  grants: () => get<{ readonly grants: readonly ListedGrant[] }>('/grants'),
  revoke: (id: string) => send<unknown>('DELETE', `/grants/${encodeURIComponent(id)}`),
  wouldMatch: (scope: GrantScope) => send<WouldMatch>('POST', '/grants/would-match', { scope }),
  changes: () => get<{ readonly workspaces: readonly ChangedWorkspace[] }>('/changes'),
  changeDiff: (workspace: string, path: string) =>
    get<{ readonly diff: UnseenFilePreview | null }>(`/changes/diff${searchOf({ workspace, path })}`),
  markSeen: (seen: {
    readonly workspace: string
    readonly files?: readonly { readonly path: string; readonly content: string }[]
    readonly all?: true
  }) => send<{ readonly seen: number }>('POST', '/changes/seen', seen),
  undoChange: (shown: { readonly workspace: string; readonly path: string; readonly content: string }) =>
    send<{ readonly call: string }>('POST', '/changes/undo', shown),
  undoable: () => get<{ readonly calls: readonly { readonly call: string }[] }>('/undo'),
  planUndo: (asked: { readonly calls?: readonly string[]; readonly since?: string }) =>
    send<PlannedUndo>('POST', '/undo/plan', asked),
  undo: (asked: {
    readonly calls: readonly string[]
    readonly plan: string
    readonly only?: readonly string[]
    readonly force?: boolean
  }) => send<{ readonly call: string }>('POST', '/undo', asked),
  journal: (query: Readonly<Record<string, string>>) => get<JournalPage>(`/journal${searchOf(query)}`),
  verifyJournal: (extent: 'whole' | 'since') =>
    get<VerifiedJournal>(`/journal/verified${searchOf({ whole: extent === 'whole' ? 'true' : '' })}`),
  tools: () => get<{ readonly tools: readonly SeenTool[]; readonly policyFile: string }>('/tools'),
  agents: () => get<{ readonly agents: readonly GatedAgent[] }>('/agents'),
  quarantine: () => get<Quarantined>('/quarantine'),
  accept: (signed: object) => send<Accepted>('POST', '/quarantine/accept', signed),
  rules: () => get<RuleList>('/rules'),
  proposeRules: (edit: RulesEdit, call?: string) =>
    send<RulesProposal>('POST', '/rules/propose', { edit, ...(call === undefined ? {} : { call }) }),
  applyRules: (signed: object, rules: string) =>
    send<{ readonly change: number }>('POST', '/rules/apply', { signed, rules }),
  notifications: () => get<Notifications>('/notifications'),
  pushKey: () => get<{ readonly publicKey: string }>('/notifications/key'),
  subscribePush: (given: Readonly<Record<'endpoint' | 'p256dh' | 'auth' | 'name', string>>) =>
    send<{ readonly id: string }>('POST', '/notifications/browsers', given),
  unsubscribePush: (id: string) => send<unknown>('DELETE', `/notifications/browsers/${encodeURIComponent(id)}`),
  testPush: (id: string) =>
    send<{ readonly sent: boolean; readonly why: string | null }>(
      'POST',
      `/notifications/browsers/${encodeURIComponent(id)}/test`,
    ),
  explain: (call: unknown, workspace: string) =>
    send<{ readonly explanation: Explanation }>('POST', '/explain', {
      call,
      ...(workspace === '' ? {} : { workspace }),
    }),
}

function get<T>(path: string): Promise<T> {
  return askService<T>(path)
}

function send<T>(method: 'POST' | 'DELETE', path: string, body: unknown = {}): Promise<T> {
  return askService<T>(path, { method, body })
}

function searchOf(query: Readonly<Record<string, string>> | HistoryFilter): string {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return given.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}
