import {
  askService,
  type Explanation,
  type GivenGrant,
  type GrantScope,
  type JournalEntry,
  type Json,
  type JsonObject,
  type PastCall,
  type QuarantineView,
  type VerifiedJournal,
  type WaitingDefinition,
  type WouldMatch,
} from '@countersign/react'
import type { HourRow } from '../charts/statistics.ts'

/** Who looks, and who may decide. */
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

/** A tool that calls were made of. */
export interface SeenTool {
  readonly tool: string
  readonly server: string | null
  readonly name: string
  readonly definition: string
  readonly otherDefinitions: readonly string[]
  readonly kind: string
  readonly lastAt: number
  readonly lastCall: string | null
  /** The most closely held of its calls that are held now; it has the definition. */
  readonly heldCall: string | null
  readonly calls: number
  readonly approved: number
  readonly rejected: number
  readonly expired: number
  /** What its last call was given: by the rule, or by a grant where the rule said confirm. */
  readonly supervision: string
  /** The strictest that any of its last calls was given. */
  readonly strictest: string
  readonly rule: unknown
  readonly grant: string | null
  readonly risk: string
}

/** What policy says now of a call that was asked. */
export interface CurrentVerdict {
  readonly supervision: string
  readonly rule: unknown
  readonly grant: string | null
  readonly risk: string
}

/** What a person runs in a terminal who cannot sign here; null where there is no such line. */
interface WithCommand {
  readonly command: string | null
}

/** A tool of an MCP server that waits for a person. */
export type QuarantinedTool = WaitingDefinition & WithCommand

/** What is in quarantine. */
export interface Quarantined extends Omit<QuarantineView, 'waiting' | 'left'> {
  readonly waiting: readonly QuarantinedTool[]
  readonly left: readonly (QuarantineView['left'][number] & WithCommand)[]
}

/** Who accepted, and when. */
export interface Accepted {
  readonly by: string
  readonly at: number
}

/** A grant, and the call it was given for as the journal tells it. */
export interface ListedGrant extends GivenGrant {
  readonly from: { readonly tool: string; readonly summary: string; readonly args: JsonObject | null } | null
}

/** A stretch of the journal. */
export interface JournalPage {
  readonly entries: readonly JournalEntry[]
  readonly size: number
}

/** One call of the past, and what the journal says of it. */
export interface PastDetails {
  readonly call: PastCall
  /** The first and the last of them, where there are many. */
  readonly entries: readonly JournalEntry[]
  readonly more: number
}

/** How decisions went. */
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
}

/** Which past calls; what is empty is not asked for. */
export type HistoryFilter = Readonly<
  Partial<Record<'call' | 'tool' | 'outcome' | 'agent' | 'risk' | 'approver' | 'since' | 'before' | 'limit', string>>
>

/** The deciding side of the service, route by route. Decisions themselves go through the source. */
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
  seen: () => get<Readonly<Record<'tools' | 'agents' | 'approvers', readonly string[]>>>('/seen'),
  grants: () => get<{ readonly grants: readonly ListedGrant[] }>('/grants'),
  revoke: (id: string) => send<unknown>('DELETE', `/grants/${encodeURIComponent(id)}`),
  wouldMatch: (scope: GrantScope) => send<WouldMatch>('POST', '/grants/would-match', { scope }),
  journal: (query: Readonly<Record<string, string>>) => get<JournalPage>(`/journal${searchOf(query)}`),
  verifyJournal: (extent: 'whole' | 'since') =>
    get<VerifiedJournal>(`/journal/verified${searchOf({ whole: extent === 'whole' ? 'true' : '' })}`),
  tools: () => get<{ readonly tools: readonly SeenTool[]; readonly policyFile: string }>('/tools'),
  quarantine: () => get<Quarantined>('/quarantine'),
  accept: (signed: object) => send<Accepted>('POST', '/quarantine/accept', signed),
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

/** Entries that the page shows at once. */
export const PAGE_LENGTH = 100

/** The end of the journal: all of it at first, then only what is new. */
export async function followJournal(
  before: JournalPage | undefined,
  read: (query: Readonly<Record<string, string>>) => Promise<JournalPage>,
): Promise<JournalPage> {
  const limit = String(PAGE_LENGTH)
  const last = before?.entries.at(-1)?.seq
  if (before === undefined || last === undefined) return read({ limit })
  const next = await read({ from: String(last + 1), limit })
  // Shorter than it was, or a whole page behind: what is shown is the end, so it is read anew.
  if (next.size < last || next.size - last > next.entries.length) return read({ limit })
  return { ...next, entries: [...before.entries, ...next.entries].slice(-PAGE_LENGTH) }
}
